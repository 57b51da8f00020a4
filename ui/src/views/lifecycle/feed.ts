import { Latest } from '../../base/latest';
import type { Span } from '../../base/span';
import type { Placed } from '../../draw/layer';
import type { Shared } from '../../state/shared';
import type { Engine } from '../../wire/engine';
import type { AnnotationRange, SceneQuestion } from '../../wire/known';
import type { Scene } from '../../wire/scene';
import type { Frame } from './frame';
import { annotationsQuestion, isEnough, isOf, placedOf, sceneQuestion } from './question';

/** The scenes and named ranges of the view: keeps the old ones until the new ones are there. */
export class Feed {
  readonly #scenes: Latest<SceneQuestion, Scene>;
  readonly #annotations: Latest<SceneQuestion, readonly AnnotationRange[]>;
  #asked: SceneQuestion | undefined;
  #answered: { readonly question: SceneQuestion; readonly placed: Placed } | undefined;
  #ranges:
    { readonly question: SceneQuestion; readonly list: readonly AnnotationRange[] } | undefined;

  constructor(engine: Engine, changed: () => void, failed: (error: unknown) => void) {
    this.#scenes = new Latest(
      (question) => engine.scene(question),
      (scene, question) => {
        this.#answered = { question, placed: placedOf(question, scene) };
        changed();
      },
      failed,
    );
    this.#annotations = new Latest(
      async (question) => (await engine.annotations(annotationsQuestion(question))).ranges,
      (list, question) => {
        this.#ranges = { question, list };
        changed();
      },
      failed,
    );
  }

  /** Asks for the view unless what was asked last will show it. */
  want(shared: Shared, x: Span, y: Span, frame: Frame): void {
    const before = this.#asked;
    if (before !== undefined && isEnough(before, shared, x, y, frame)) return;
    const question = sceneQuestion(shared, x, y, frame);
    this.#asked = question;
    this.#scenes.put(question);
    const isKnown =
      before !== undefined &&
      isOf(before, shared) &&
      before.x0 === question.x0 &&
      before.x1 === question.x1;
    if (!isKnown) this.#annotations.put(question);
  }

  /** The newest scene of what is shown. */
  placed(shared: Shared): Placed | undefined {
    const answer = this.#answered;
    return answer !== undefined && isOf(answer.question, shared) ? answer.placed : undefined;
  }

  /** The newest named ranges of what is shown. */
  ranges(shared: Shared): readonly AnnotationRange[] {
    const answer = this.#ranges;
    return answer !== undefined && isOf(answer.question, shared) ? answer.list : [];
  }

  stop(): void {
    this.#scenes.drop();
    this.#annotations.drop();
  }
}
