// The functions of epref. Objects are those that the command writes with --format=json, under
// the names that it has for them; epref(1) says more of each.

/** What is read: bytes, text, or (where this is a worker) a Blob or File, in pieces. */
export type Input = ArrayBufferView | ArrayBuffer | string | Source | Blob;

/** What is read piece by piece, such as a file that is longer than memory. */
export interface Source {
  readonly size: number;
  readonly name?: string;
  /** Exactly so many bytes from a place on. */
  read(place: number, size: number): Uint8Array;
}

export interface ReadingOptions {
  /** What the input is called in what is said of it. */
  name?: string;
  /** The schema version that is demanded, such as "8.20". */
  schema?: string;
  /** Of an archive with several programs, the one in models/NAME.json. */
  model?: string;
  /** Accept what a newer minor version added, with a warning each. */
  forward?: boolean;
  limits?: { bytes?: number; depth?: number; values?: number; string?: number };
  /** Bytes of memory in all, those of the program included. */
  memory?: number;
}

/** Options of what compares two inputs. */
export type PairOptions = Omit<ReadingOptions, "name"> & { name?: [string?, string?] };

export type Level = "wire" | "schema" | "strings" | "program" | "archive";
export type Severity = "info" | "low" | "medium" | "high";

/** Where something is: null where there is no such place. */
export interface Place {
  file: string;
  offset: number | null;
  line: number | null;
  column: number | null;
  pointer: string | null;
}

export interface Diagnostic extends Place {
  severity: "error" | "warning" | "note";
  code: string | null;
  clause: string | null;
  level: Level | null;
  message: string;
  /** Of a note of what PyTorch is known not to load or not to keep: "D-47", "2.13", false. */
  deviation?: string;
  releases?: string;
  loads?: boolean;
}

export interface Verdict extends Partial<Diagnostic> {
  file: string;
  /** null: it could not be judged, for want of memory or beyond a limit; or it is a package of
   *  compiled models that is whole. */
  valid: boolean | null;
  kind: "program" | "archive" | "compiled" | null;
  schema_version: string | null;
  /** false where noData asked for it. */
  data_read?: false;
  /** Of an archive: the names of compiled models, and its programs. */
  compiled?: string[];
  programs?: { member: string; valid: boolean | null; schema_version: string }[];
  warnings: Diagnostic[];
  notes: Diagnostic[];
}

export interface Finding extends Place {
  severity: Severity;
  id: string;
  clause: string;
  text: string;
  more: number;
  message: string;
}

/** A program or archive that is refused. */
export class EprefError extends Error {
  readonly code: string | null;
  readonly clause: string | null;
  readonly level: Level | null;
  readonly file: string;
  readonly offset: number | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly pointer: string | null;
  /** The message without place and code. */
  readonly detail: string;
}

/** A size: a number, or an expression. */
export type Size = number | string;

export interface Value {
  kind: string;
  dtype?: string;
  shape?: Size[];
  strides?: Size[];
  device?: string;
  [field: string]: unknown;
}

export interface Node {
  name: string | null;
  target: string;
  inputs: { name: string; keyword: boolean; arg: unknown }[];
  outputs: unknown[];
}

export interface Graph {
  name: string | null;
  inputs: unknown[];
  outputs: unknown[];
  values: Record<string, Value>;
  nodes: Node[];
}

export interface Interface {
  role: string;
  name: string | null;
  target: string | null;
  persistent: boolean;
  kind?: string;
  dtype?: string;
  shape?: Size[];
  device?: string;
  [field: string]: unknown;
}

export interface Program {
  file: string;
  schema_version: string;
  torch_version: string | null;
  opset_version: Record<string, number>;
  verifiers: string[] | null;
  dialect: string | null;
  inputs: Interface[];
  outputs: Interface[];
  symbols: Record<string, { min: number | null; max: number | null }>;
  guards: string[];
  /** What PyTorch is known not to load or not to keep. */
  notes: { message: string; pointer: string; deviation: string; releases: string; loads: boolean }[];
  /** How it is called; null: it does not say. A class is that of a container. */
  call: {
    arguments: { name: string | null; keyword: boolean; class: string | null; form: string }[];
    returns: { class: string | null; form: string };
  } | null;
  /** The program's own graph is the first. */
  graphs: Graph[];
}

/** A model of AOTInductor: native code, and what the JSON beside it says. */
export interface CompiledModel {
  /** "" is that of a package of torch 2.5. */
  name: string;
  members: number;
  bytes: number;
  device: string;
  platform: string;
  machine: string;
  isa: string;
  compute_capability: string;
  /** Why a part of this is not known. */
  fault: string | null;
  metadata: { key: string; value: string }[];
  constants: { name: string; member: string; shape: number[]; strides: number[]; offset: number }[];
  objects: { name: string; member: string }[];
}

export interface Archive {
  file: string;
  layout: "flat" | "pt2";
  folder: string | null;
  bytes: number;
  members: { name: string; bytes: number; packed: number; place: number; crc32: number }[];
  programs: { name: string; member: string }[];
  compiled: CompiledModel[];
  tensors: {
    program: string;
    part: string;
    name: string;
    role: string;
    form: string;
    storage: number | null;
    dtype?: string;
    shape?: number[];
    strides?: number[];
    requires_grad?: boolean;
    offset?: number;
    [field: string]: unknown;
  }[];
  storages: { member: string; key: string | null; bytes: number; place: number | null;
    byteorder: string; tensors: number[] }[];
}

export interface Difference {
  group: string;
  type: string;
  member: string | null;
  target: string;
  argument: string;
  a: DifferenceSide;
  b: DifferenceSide;
}

export interface DifferenceSide extends Place {
  there: boolean;
  text: string;
  cut_before?: boolean;
  cut_behind?: boolean;
  enumerator: string | null;
}

export interface MigrationReport {
  file: string;
  from: string;
  to: string;
  steps: { clause: string; about: string; times: number }[];
  notes: Diagnostic[];
}

/** An input or output of a program. */
export interface InspectedValue {
  name: string | null;
  kind: string;
  dtype: string | null;
  /** The sizes as texts, "s0" and "3"; null: no tensor. */
  shape: string[] | null;
  /** The sizes as numbers; null where one is symbolic. */
  sizes: (number | null)[] | null;
  device: string | null;
  class: string | null;
  expression: string | null;
  /** The JSON of a constant. */
  value: string | null;
}

export interface Amount {
  count: number;
  values: number;
  bytes: number;
}

export interface InspectedProgram {
  /** Of an archive. */
  member: string | null;
  bytes: number;
  schema_version: string;
  torch_version: string | null;
  releases: string[];
  digest: string | null;
  undecided: boolean;
  inputs: InspectedValue[];
  outputs: InspectedValue[];
  symbols: { name: string; min: number | null; max: number | null }[];
  parameters: Amount;
  buffers: Amount;
  constants: Amount;
  dtypes: { dtype: string; tensors: number }[];
  nodes: number;
  subgraphs: number;
  operators: { target: string; count: number }[];
}

export interface Inspection {
  format: 2;
  file: string;
  valid: boolean | null;
  error: Diagnostic | null;
  layout: "flat" | "pt2" | null;
  bytes: number | null;
  data_read: boolean;
  warnings: number;
  notes: number;
  programs: InspectedProgram[];
  compiled: CompiledModel[];
  audit: {
    worst: Severity | null;
    high: number;
    medium: number;
    low: number;
    info: number;
    findings: { id: string; count: number }[];
  } | null;
  weights: {
    stored: "none" | "raw" | "pickled" | "mixed";
    tensors: number;
    objects: number;
    classes: number;
    bytes: number;
  } | null;
}

/** The version of epref. */
export const version: string;

/** Judges a program or archive; what is invalid is no exception. */
export function check(input: Input, options?: ReadingOptions & { level?: Level; noData?: boolean }): Verdict;

/** All that `epref inspect` says in one object: verdict, digest, interface, counts, weights. */
export function inspect(input: Input, options?: ReadingOptions & { noData?: boolean }): Inspection;

/** What loading it would make PyTorch do. */
export function audit(input: Input, options?: ReadingOptions & { verbose?: boolean }): Finding[];

/** The program as people read it. */
export function show(input: Input, options?: ReadingOptions & { width?: number; source?: boolean; full?: boolean }): string;

/** The same as data. */
export function describe(input: Input, options?: ReadingOptions): Program;

/** The members and tensors of an archive. */
export function list(input: Input, options?: ReadingOptions): Archive;

/** The digest of the canonical form, "ep1:..."; of weights, "ew1:..."; or of both, "ea1:...";
 * of all that diff compares of archives, "ec1:...". */
export function digest(input: Input, options?: ReadingOptions & { weights?: boolean; archive?: boolean; all?: boolean }): string;

/** Whether two are one program, and where they part, as lines of show. */
export function diff(a: Input, b: Input, options?: PairOptions & {
  unified?: number; provenance?: boolean; stat?: boolean; full?: boolean; noData?: boolean;
}): { same: boolean; text: string };

/** The same field by field; if more were found than the limit, a last object counts all. */
export function differences(a: Input, b: Input, options?: PairOptions & {
  provenance?: boolean; limit?: number; noData?: boolean;
}): (Difference | { told: number; count: number })[];

/** The program, written as the releases of its version write it. */
export function encode(input: Input, options?: ReadingOptions): Uint8Array;

/** The canonical form. */
export function canon(input: Input, options?: ReadingOptions & { form?: "epref" | "torch"; constants?: string[] }): Uint8Array;

/** The program or archive at another version: "8.20", "torch-2.13", "latest". */
export function migrate(input: Input, to: string, options?: ReadingOptions & { raw?: boolean }): Uint8Array;

/** What migrating did, step by step. */
export function migrationReport(input: Input, to: string, options?: ReadingOptions & { raw?: boolean }): MigrationReport;

/** The weights of an archive as safetensors; one tensor; or the program as it is there. */
export function extract(input: Input, options?: ReadingOptions & {
  tensor?: string; as?: "safetensors" | "npy" | "raw"; program?: boolean;
}): Uint8Array;

/** What an error code or a finding of audit means. */
export function explain(code: string): Record<string, unknown>;

/** The schema versions, oldest first. */
export function schemas(): { name: string; releases: string[]; [field: string]: unknown }[];

/** The line that the command prints of a diagnostic. */
export function spell(said: Partial<Diagnostic>): string;

/** The command itself, with files in memory; those that it writes with -o are `outputs`. */
export function run(words: string[], files?: Record<string, Input>): {
  status: number;
  stdout: Uint8Array;
  stderr: string;
  outputs: Record<string, Uint8Array>;
};
