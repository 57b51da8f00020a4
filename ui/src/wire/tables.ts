import type * as wire from './bindings';
import type { Known, ProgressNow } from './known';

export type RowsQuestion = Known<wire.RowsQuestion>;
export type SortDirection = wire.SortDirection;
export type TableBounds = Known<wire.TableBounds>;
export type TableCell = wire.TableCell | undefined;
export type TableChoice = Known<wire.TableChoice>;
export type TableColumn = wire.TableColumn;
export type Inefficient = Known<wire.Inefficient>;
export type InefficientQuestion = Known<wire.InefficientQuestion>;
export type Threshold = Known<wire.Threshold>;
export type Thresholds = Known<wire.Thresholds>;
export type Waste = Known<wire.Waste>;
export type TableFilter = Known<wire.TableFilter>;
export type TableKind = wire.TableKind;
export type TableOpened = Known<wire.TableOpened>;
export type TableOrder = Known<wire.TableOrder>;
export type TablePage = Known<wire.TablePage>;
export type TablePeriod = Known<wire.TablePeriod>;
export type TableQuestion = Known<wire.TableQuestion>;
export type TableRow = Known<wire.TableRow>;
export type TableStatistics = Known<wire.TableStatistics>;
export type TableTest = Known<wire.TableTest>;

/**
 * What the tables ask. A slot is a place that shows one table: a question put to it stops the one
 * that is being answered there.
 */
export interface TableEngine {
  open(slot: number, question: TableQuestion, first: RowsQuestion): Promise<TableOpened>;
  rows(view: number, question: RowsQuestion): Promise<TablePage>;
  /** The place of a row; nothing when it is not in the table. */
  position(view: number, row: number): Promise<number | undefined>;
  bounds(view: number, columns: readonly TableColumn[]): Promise<readonly TableBounds[]>;
  choices(question: TableQuestion, column: TableColumn): Promise<readonly TableChoice[]>;
  /** What a track of a dump holds in vain. */
  inefficient(question: InefficientQuestion): Promise<Inefficient>;
  /** Lets the person choose where to write a CSV; nothing when they would rather not. */
  chooseTarget(title: string, name: string): Promise<string | undefined>;
  export(
    request: number,
    view: number,
    columns: readonly TableColumn[],
    path: string,
    progress: (now: ProgressNow) => void,
  ): Promise<void>;
  cancelExport(request: number): Promise<void>;
}

/** A question as the program reads it, where what is absent may be left out. */
export const asked = (question: TableQuestion): wire.TableQuestion =>
  question as unknown as wire.TableQuestion;

/** Likewise. */
export const askedRows = (question: RowsQuestion): wire.RowsQuestion =>
  question as unknown as wire.RowsQuestion;
