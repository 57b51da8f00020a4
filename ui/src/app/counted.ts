import type { Busy } from '../base/busy';
import type { Engine } from '../wire/engine';

/** `engine`, with every question under way counted. */
export function counted(engine: Engine, busy: Busy): Engine {
  const during = async <T>(answer: Promise<T>): Promise<T> => {
    const end = busy.begin();
    try {
      return await answer;
    } finally {
      end();
    }
  };
  return {
    ...engine,
    open: (request, source, progress) => during(engine.open(request, source, progress)),
    scene: (question) => during(engine.scene(question)),
    annotations: (question) => during(engine.annotations(question)),
    block: (session, device, block) => during(engine.block(session, device, block)),
    event: (session, device, event) => during(engine.event(session, device, event)),
    segment: (session, device, after, address) =>
      during(engine.segment(session, device, after, address)),
    period: (session, device, from, to) => during(engine.period(session, device, from, to)),
    find: (question) => during(engine.find(question)),
    pool: (question) => during(engine.pool(question)),
    decompose: (question) => during(engine.decompose(question)),
    pools: (session, device, after) => during(engine.pools(session, device, after)),
    poolCurves: (question) => during(engine.poolCurves(question)),
    lanes: (session, device, order) => during(engine.lanes(session, device, order)),
    addressMap: (question) => during(engine.addressMap(question)),
    compare: {
      difference: (question) => during(engine.compare.difference(question)),
      alignedSteps: (question) => during(engine.compare.alignedSteps(question)),
      counterpart: (question) => during(engine.compare.counterpart(question)),
    },
    flame: {
      threads: (session) => during(engine.flame.threads(session)),
      flame: (question) => during(engine.flame.flame(question)),
      slice: (session, thread, slice, device) =>
        during(engine.flame.slice(session, thread, slice, device)),
      search: (question) => during(engine.flame.search(question)),
    },
    projects: {
      ...engine.projects,
      list: () => during(engine.projects.list()),
      opened: (session) => during(engine.projects.opened(session)),
      save: (session, project, state) => during(engine.projects.save(session, project, state)),
    },
    tables: {
      ...engine.tables,
      open: (slot, question, first) => during(engine.tables.open(slot, question, first)),
      rows: (view, question) => during(engine.tables.rows(view, question)),
      position: (view, row) => during(engine.tables.position(view, row)),
      bounds: (view, columns) => during(engine.tables.bounds(view, columns)),
      choices: (question, column) => during(engine.tables.choices(question, column)),
    },
  };
}
