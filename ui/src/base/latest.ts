/** Asks one question at a time. Of the questions put meanwhile, only the last is asked. */
export class Latest<Question, Answer> {
  readonly #ask: (question: Question) => Promise<Answer>;
  readonly #answered: (answer: Answer, question: Question) => void;
  readonly #failed: (error: unknown, question: Question) => void;
  #running = false;
  #next: { readonly question: Question } | undefined;
  #generation = 0;

  constructor(
    ask: (question: Question) => Promise<Answer>,
    answered: (answer: Answer, question: Question) => void,
    failed: (error: unknown, question: Question) => void,
  ) {
    this.#ask = ask;
    this.#answered = answered;
    this.#failed = failed;
  }

  /** Asks `question` now, or as soon as the one under way is answered. */
  put(question: Question): void {
    this.#next = { question };
    if (!this.#running) void this.#run();
  }

  /** Forgets what waits, and drops the answer that is under way. */
  drop(): void {
    this.#next = undefined;
    this.#generation += 1;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#next !== undefined) {
      const { question } = this.#next;
      const generation = this.#generation;
      this.#next = undefined;
      try {
        const answer = await this.#ask(question);
        if (generation === this.#generation) this.#answered(answer, question);
      } catch (error) {
        if (generation === this.#generation) this.#failed(error, question);
      }
    }
    this.#running = false;
  }
}
