// Calls the module's functions by the tables that generate.mjs wrote: JavaScript values become C arguments, what comes back
// becomes JavaScript values, a failed status becomes a SinewError. Knows nothing about any function in particular.
//
// The module has no imports. Memory that a call needs only while it runs is taken from a list of scratch blocks and given back
// when the call ends; what the library made stays until its Handle is disposed of, explicitly or by the garbage collector.

export type Scalar = "i32" | "u32" | "i64" | "u64" | "f64" | "f32" | "u8" | "i8" | "i16" | "u16" | "bool";

/** How a field lies in memory. list: [item, bytes of an item, factors of its length]. */
export type Field =
  | Scalar
  | ["text", number]
  | ["string"]
  | ["source"]
  | ["array", Field, number, number]
  | ["record", string]
  | ["handle", string]
  | ["strings", string[]]
  | ["list", Field, number, string[], true?];

/** [bytes, [name, offset, type][], the one number type it consists of or null, function that makes the default] */
type RecordTable = [number, [string, number, Field][], Scalar | null, string?];
type Kind = [string, string?, string?];
type FunctionTable = [string, [string, string?], Kind[], string[]?];
export interface CallTable {
  records: Record<string, RecordTable>;
  functions: Record<string, FunctionTable>;
  /** Bytes of a source and of the memory behind it, where its name is; the same of a sink, where its bytes and their size are. */
  source: [number, number, number];
  sink: [number, number, number, number];
}

type Content = Uint8Array | ArrayBuffer | string;
/** A file's bytes or text, with the name that sentences about it use. */
export type Source = Content | { bytes: Content; name: string };

/** Something the library made. Free it with `using`, dispose(), or leave it to the garbage collector. What it was made from
 * stays alive as long as it does. Arrays that a handle hands out are views into the module's memory: use them at once, copy
 * (slice) what must last, for the next call may move them. */
export interface Handle {
  /** Where it lies in the module's memory. */
  readonly address: number;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** What the library could not do, in its own sentence, and where. */
export class SinewError extends Error {
  constructor(
    message: string,
    /** Status code and its name: 11, "TRUNCATED". */
    readonly status: number,
    readonly code: string,
    /** Byte, line, frame, index (joint, marker, row) and name of the thing; -1 or "" where they do not apply. */
    readonly place: { byte: number; line: number; frame: number; index: number; name: string },
  ) {
    super(message);
    this.name = "SinewError";
  }
}

// `using` needs the symbol; engines older than it get one.
(Symbol as { dispose?: symbol }).dispose ??= Symbol.for("Symbol.dispose");

// ---- what stays alive ----------------------------------------------------------------------------------------------------

/** A piece of the module's memory with an owner count: its handle, and everything that was made from it. */
class Resource {
  private uses = 1;
  constructor(readonly address: number, private readonly free: (address: number) => void, private readonly parents: Resource[]) {
    for (const parent of parents) parent.uses++;
  }
  release(): void {
    if (--this.uses > 0) return;
    this.free(this.address);
    for (const parent of this.parents) parent.release();
  }
}

const resources = new WeakMap<object, Resource>();
const collector = typeof FinalizationRegistry === "undefined" ? null : new FinalizationRegistry<Resource>((r) => r.release());

// ---- numbers in memory ---------------------------------------------------------------------------------------------------

const views = {
  f64: Float64Array, f32: Float32Array, i32: Int32Array, u32: Uint32Array, u8: Uint8Array, i8: Int8Array,
  i16: Int16Array, u16: Uint16Array, bool: Uint8Array, i64: BigInt64Array, u64: BigUint64Array,
} as const;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Runtime {
  readonly functions: Record<string, (...values: any[]) => any> = {};
  private readonly exports: Record<string, any>;
  private scratch: number[] = [];
  private told: (() => void)[] = []; // what a call writes into structs of its options
  private held: Resource[] = []; // handles inside the structs of one call: what is made stands on them too
  private readonly prototypes = new Map<string, object>();

  constructor(instance: WebAssembly.Instance, private readonly table: CallTable) {
    this.exports = instance.exports as Record<string, any>;
    this.exports._initialize?.();
    for (const [name, row] of Object.entries(table.functions)) this.functions[name] = this.bind(row);
  }

  /** Bytes of memory that the module has taken from the browser so far. */
  get memorySize(): number {
    return this.exports.memory.buffer.byteLength;
  }

  private get data(): DataView {
    return new DataView(this.exports.memory.buffer);
  }

  /** A view of `length` numbers at an address. */
  view<S extends keyof typeof views>(scalar: S, address: number, length: number): InstanceType<(typeof views)[S]> {
    return new views[scalar](this.exports.memory.buffer, address, length) as InstanceType<(typeof views)[S]>;
  }

  /** A struct that stays in the module's memory, for a function that takes its pointer in a loop: give the address instead of the
   * object. Its own pointers must be null. */
  keep(record: string, value: object): number {
    const at = this.exports.malloc(this.table.records[record][0]);
    if (!at) throw new SinewError("memory could not be allocated", 1, "OUT_OF_MEMORY", nowhere);
    this.view("u8", at, this.table.records[record][0]).fill(0);
    this.writeRecord(record, at, value);
    return at;
  }
  forget(address: number): void {
    this.exports.free(address);
  }

  // ---- scratch memory of one call ----

  private take(size: number, clear = true): number {
    const address = this.exports.malloc(Math.max(size, 1));
    if (!address) throw new SinewError("memory could not be allocated", 1, "OUT_OF_MEMORY", nowhere);
    this.scratch.push(address);
    if (clear) this.view("u8", address, size).fill(0);
    return address;
  }

  private takeText(text: string): number {
    const bytes = encoder.encode(text);
    const address = this.take(bytes.length + 1);
    this.view("u8", address, bytes.length).set(bytes);
    return address;
  }

  private takeBytes(source: Content): [number, number] {
    const bytes = typeof source === "string" ? encoder.encode(source) : source instanceof ArrayBuffer ? new Uint8Array(source) : source;
    const address = this.take(bytes.length + 1, false);
    this.view("u8", address, bytes.length).set(bytes);
    return [address, bytes.length];
  }

  private text(address: number, most = Infinity): string {
    if (!address) return "";
    const memory = new Uint8Array(this.exports.memory.buffer);
    let end = address;
    while (end < memory.length && end - address < most && memory[end]) end++;
    return decoder.decode(memory.slice(address, end));
  }

  // ---- reading ----

  private readScalar(type: Scalar, at: number): any {
    const data = this.data;
    switch (type) {
      case "i32": return data.getInt32(at, true);
      case "u32": return data.getUint32(at, true);
      case "f64": return data.getFloat64(at, true);
      case "f32": return data.getFloat32(at, true);
      case "u8": return data.getUint8(at);
      case "i8": return data.getInt8(at);
      case "i16": return data.getInt16(at, true);
      case "u16": return data.getUint16(at, true);
      case "bool": return data.getUint8(at) !== 0;
      case "i64": return Number(data.getBigInt64(at, true));
      case "u64": return data.getBigUint64(at, true);
    }
  }

  private read(type: Field, at: number, record: string, base: number, owner: Resource | null): any {
    if (typeof type === "string") return this.readScalar(type, at);
    switch (type[0]) {
      case "text": return this.text(at, type[1]);
      case "string": return this.text(this.data.getUint32(at, true));
      case "array": return Array.from({ length: type[2] }, (_, n) => this.read(type[1], at + n * type[3], record, base, owner));
      case "record": return this.readRecord(type[1], at, owner);
      case "handle": {
        const address = this.data.getUint32(at, true);
        return address ? this.borrow(type[1], address, owner) : null;
      }
      case "strings": {
        const first = this.data.getUint32(at, true);
        const count = first ? this.length(type[1], record, base) : 0;
        return Array.from({ length: count }, (_, n) => this.text(this.data.getUint32(first + 4 * n, true)));
      }
      case "list": return this.readList(type, this.data.getUint32(at, true), record, base, owner);
    }
  }

  private readList(type: ["list", Field, number, string[], true?], first: number, record: string, base: number, owner: Resource | null): any {
    const [, item, size, factors] = type;
    if (!factors.length && typeof item !== "string" && item[0] === "record") return first ? this.readRecord(item[1], first, owner) : null; // one
    if (!factors.length) return first;
    const count = first ? this.length(factors, record, base) : 0;
    if (typeof item === "string") return this.view(item, first, count);
    if (item[0] === "record") {
      const kind = this.table.records[item[1]][2];
      if (kind) return this.view(kind, first, (count * size) / views[kind].BYTES_PER_ELEMENT);
    }
    return Array.from({ length: count }, (_, n) => this.read(item, first + n * size, record, base, owner));
  }

  /** The product of the factors in "(frame_count x joint_count)", looked up in the record or in the skeleton it points to. */
  private length(factors: string[], record: string, base: number): number {
    let product = 1;
    for (const factor of factors) product *= /^\d+$/.test(factor) ? Number(factor) : this.count(camel(factor), record, base);
    return product;
  }

  private count(name: string, record: string, base: number): number {
    const fields = this.table.records[record][1];
    const own = fields.find((f) => f[0] === name);
    if (own) return this.readScalar(own[2] as Scalar, base + own[1]);
    for (const [, offset, type] of fields) {
      if (typeof type === "string" || type[0] !== "handle") continue;
      const there = this.data.getUint32(base + offset, true);
      const known = this.table.records[type[1]]?.[1].find((f) => f[0] === name);
      if (there && known) return this.readScalar(known[2] as Scalar, there + known[1]);
    }
    return 0;
  }

  private readRecord(name: string, at: number, owner: Resource | null): any {
    const out: Record<string, unknown> = {};
    for (const [field, offset, type] of this.table.records[name][1]) out[field] = this.read(type, at + offset, name, at, owner);
    return out;
  }

  // ---- writing ----

  private writeScalar(type: Scalar, at: number, value: any): void {
    const data = this.data;
    switch (type) {
      case "i32": return data.setInt32(at, value, true);
      case "u32": return data.setUint32(at, value, true);
      case "f64": return data.setFloat64(at, value, true);
      case "f32": return data.setFloat32(at, value, true);
      case "u8": return data.setUint8(at, value);
      case "i8": return data.setInt8(at, value);
      case "i16": return data.setInt16(at, value, true);
      case "u16": return data.setUint16(at, value, true);
      case "bool": return data.setUint8(at, value ? 1 : 0);
      case "i64": return data.setBigInt64(at, BigInt(value), true);
      case "u64": return data.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true);
    }
  }

  private write(type: Field, at: number, value: any, record: string, base: number): void {
    if (typeof type === "string") return this.writeScalar(type, at, value);
    switch (type[0]) {
      case "text": {
        const bytes = encoder.encode(value).subarray(0, type[1] - 1);
        const room = this.view("u8", at, type[1]);
        room.fill(0);
        room.set(bytes);
        return;
      }
      case "source": return this.writeScalar("u32", at, value == null ? 0 : this.takeSource(value));
      case "string": return this.writeScalar("u32", at, value == null ? 0 : typeof value === "string" ? this.takeText(value) : this.takeBytes(value)[0]);
      case "array": return Array.from(value as ArrayLike<unknown>).slice(0, type[2]).forEach((v, n) => this.write(type[1], at + n * type[3], v, record, base));
      case "record": return this.writeRecord(type[1], at, value);
      case "handle":
        if (value != null) this.held.push(resources.get(value)!);
        return this.writeScalar("u32", at, value == null ? 0 : this.addressOf(value));
      case "strings": {
        const first = this.takeStrings(value);
        this.writeScalar("u32", at, first);
        return this.writeCount(type[1], record, base, value?.length ?? 0);
      }
      case "list": {
        if (typeof value === "number" && !type[3].length && typeof type[1] === "string" && type[2] > 1) {
          const place = this.take(type[2]); // a pointer to one number, NULL when it is left out
          this.writeScalar(type[1], place, value);
          return this.writeScalar("u32", at, place);
        }
        if (value != null && typeof type[1] !== "string" && type[1][0] === "record" && !Array.isArray(value) && !ArrayBuffer.isView(value))
          { // a pointer to one record
            const place = this.takeRecord(type[1][1], value), name = type[1][1];
            if (type[4]) this.told.push(() => Object.assign(value, this.readRecord(name, place, null)));
            return this.writeScalar("u32", at, place);
          }
        const count = value == null ? 0 : this.countOf(type[1], type[2], value);
        const first = count ? this.takeList(type[1], type[2], value) : 0; // NULL is read as an empty list, and written as one
        this.writeScalar("u32", at, first);
        if (type[4] && first && ArrayBuffer.isView(value)) this.told.push(() => (value as any).set(this.view(type[1] as Scalar, first, (value as any).length)));
        return this.writeCount(type[3], record, base, count);
      }
    }
  }

  /** The length of a list goes into the record's own count, where one field alone tells it. */
  private writeCount(factors: string[], record: string, base: number, count: number): void {
    if (factors.length !== 1) return;
    const field = this.table.records[record][1].find((f) => f[0] === camel(factors[0]));
    if (field && count) this.writeScalar(field[2] as Scalar, base + field[1], count);
  }

  private countOf(item: Field, size: number, values: ArrayLike<unknown>): number {
    if (!ArrayBuffer.isView(values)) return values.length;
    const kind = typeof item === "string" ? item : item[0] === "record" ? this.table.records[item[1]][2] : null;
    return kind ? (values.length * views[kind].BYTES_PER_ELEMENT) / size : values.length;
  }

  private takeList(item: Field, size: number, values: any): number {
    const kind = typeof item === "string" ? item : item[0] === "record" ? this.table.records[item[1]][2] : null;
    const count = this.countOf(item, size, values);
    const first = this.take(count * size);
    if (kind && ArrayBuffer.isView(values)) (this.view(kind, first, (values as any).length) as any).set(values);
    else for (let n = 0; n < count; n++) this.write(item, first + n * size, values[n], "", 0);
    return first;
  }

  private takeStrings(texts: string[] | null): number {
    if (!texts) return 0;
    const first = this.take(4 * texts.length);
    texts.forEach((text, n) => this.writeScalar("u32", first + 4 * n, this.takeText(text)));
    return first;
  }

  /** Fields that are not given keep what is there; what is there starts as the record's default. */
  private writeRecord(name: string, at: number, value: any): void {
    for (const [field, offset, type] of this.table.records[name][1])
      if (value[field] !== undefined) this.write(type, at + offset, value[field], name, at);
  }

  private takeRecord(name: string, value: any): number {
    const [size, , , makeDefault] = this.table.records[name];
    const at = this.take(size);
    if (makeDefault) this.callDefault(makeDefault, name, at);
    this.writeRecord(name, at, value);
    return at;
  }

  private callDefault(makeDefault: string, name: string, at: number): void {
    const single = this.single(name);
    if (single) this.writeScalar(single, at, this.exports[makeDefault]());
    else this.exports[makeDefault](at);
  }

  /** clang passes a record of one number as that number, every other one by address. */
  private single(name: string): Scalar | null {
    const [, fields] = this.table.records[name];
    if (fields.length !== 1) return null;
    const type = fields[0][2];
    if (typeof type === "string") return type;
    return type[0] === "record" ? this.single(type[1]) : null;
  }

  // ---- handles ----

  private addressOf(handle: Handle): number {
    if (!resources.has(handle)) throw new TypeError("this object was disposed of, or the library did not make it");
    return handle.address;
  }

  /** An object whose properties are the record's fields, read when they are asked for. */
  private wrap(name: string, resource: Resource): Handle {
    let prototype = this.prototypes.get(name);
    if (!prototype) {
      prototype = Object.create(null, {
        dispose: { value(this: object) { release(this); } },
        [Symbol.dispose]: { value(this: object) { release(this); } },
      }) as object;
      const runtime = this;
      for (const [field, offset, type] of this.table.records[name]?.[1] ?? [])
        Object.defineProperty(prototype, field, {
          enumerable: true,
          get(this: Handle) {
            const base = runtime.addressOf(this);
            return runtime.read(type, base + offset, name, base, resources.get(this)!);
          },
          set(this: Handle, value: unknown) {
            if (!isPlain(type)) throw new TypeError(`${field} belongs to the library`);
            const base = runtime.addressOf(this);
            runtime.write(type, base + offset, value, name, base);
          },
        });
      this.prototypes.set(name, prototype);
    }
    const handle = Object.create(prototype, { address: { value: resource.address } }) as Handle;
    resources.set(handle, resource);
    collector?.register(handle, resource, handle);
    return handle;
  }

  private own(name: string, address: number, parents: Resource[]): Handle {
    return this.wrap(name, new Resource(address, this.exports[`${name}_destroy`], parents));
  }

  /** Something that belongs to somebody else, who stays alive with it. */
  private borrow(name: string, address: number, owner: Resource | null): Handle {
    return this.wrap(name, new Resource(address, () => undefined, owner ? [owner] : []));
  }

  // ---- calls ----

  private bind([name, result, kinds, outs]: FunctionTable): (...values: any[]) => any {
    if (name.endsWith("_destroy")) return (handle: Handle | null) => handle?.dispose();
    return (...values: any[]) => {
      const before = this.scratch;
      this.scratch = [];
      this.held = [];
      this.told = [];
      try {
        return this.call(name, result, kinds, outs ?? [], values);
      } finally {
        for (const address of this.scratch) this.exports.free(address);
        this.scratch = before;
      }
    };
  }

  private call(name: string, result: [string, string?], kinds: Kind[], outNames: string[], values: any[]): any {
    const words: (number | bigint)[] = [];
    const parents: Resource[] = [];
    const after: (() => void)[] = [];
    const outs: [string, number][] = [];
    let error = 0;
    let sink: [number, number] | null = null; // the sink, and the buffer behind it
    let printed: [number, number, number] | null = null;
    let next = 0;
    const returned = this.placeOfResult(result);
    if (returned.address) words.push(returned.address);

    for (const [kind, of = "", more] of kinds) {
      const value = kind === "allocator" || kind === "error" || kind === "out" || kind === "sink" || kind === "printed" ? undefined : values[next++];
      switch (kind) {
        case "allocator": words.push(0); break;
        case "error": words.push((error = this.takeRecord("snw_error", {}))); break;
        case "notes": {
          if (!value) { words.push(0); break; }
          const at = this.takeRecord("snw_notes", {});
          words.push(at);
          after.push(() => { const notes = this.readRecord("snw_notes", at, null); value.push(...notes.note.slice(0, notes.count)); });
          break;
        }
        case "out": { const at = this.take(4); outs.push([of, at]); words.push(at); break; }
        case "scalar": words.push(of === "i64" || of === "u64" ? BigInt.asIntN(64, BigInt(value)) : Number(value)); break;
        case "value": {
          const single = this.single(of);
          if (single) words.push(Number(Object.values(value)[0]));
          else words.push(resources.has(value) ? this.addressOf(value) : this.takeRecord(of, value));
          break;
        }
        case "handle":
          words.push(value == null ? 0 : this.addressOf(value));
          if (value != null) parents.push(resources.get(value)!);
          break;
        case "string": words.push(value == null ? 0 : this.takeText(value)); break;
        case "bytes": words.push(...this.takeBytes(value)); break;
        case "strings": words.push(this.takeStrings(value)); if (more) words.push(value?.length ?? 0); break;
        case "source": words.push(this.takeSource(value)); break;
        case "sink": sink = this.takeSink(); words.push(sink[0]); break;
        case "printed": printed = [words.length, 0, more ? 0 : 1024]; words.push(more ? 0 : (printed[1] = this.take(1024))); if (more) words.push(0); break;
        case "records": {
          if (typeof value === "number") { words.push(value); if (more) words.push(1); break; } // kept
          const isList = Array.isArray(value) || ArrayBuffer.isView(value);
          const size = this.table.records[of][0];
          words.push(value == null ? 0 : isList ? this.takeRecords(of, size, value) : this.takeRecord(of, value));
          if (more) words.push(value == null ? 0 : isList ? this.countOf(["record", of], size, value as any) : 1);
          break;
        }
        case "update": {
          if (value == null) { words.push(0); break; }
          const at = this.takeRecord(of, value);
          words.push(at);
          after.push(() => Object.assign(value, this.readRecord(of, at, null)));
          break;
        }
        case "numbers":
        case "fill": {
          if (value == null) { words.push(0); if (more) words.push(0); break; }
          const bytes = views[of as Scalar].BYTES_PER_ELEMENT;
          const at = this.take(value.length * bytes);
          (this.view(of as Scalar, at, value.length) as any).set(value);
          words.push(at);
          if (more) words.push(value.length);
          if (kind === "fill") after.push(() => value.set(this.view(of as Scalar, at, value.length) as any));
          break;
        }
      }
    }

    let back = this.exports[name](...words);
    if (printed && !printed[2]) { // asked for the length first, as with snprintf
      const length = Number(back) + 1;
      printed[1] = words[printed[0]] = this.take(length);
      words[printed[0] + 1] = length;
      back = this.exports[name](...words);
    }
    if (result[0] === "status" && back !== 0) {
      if (sink) this.exports.snw_memory_sink_release(sink[1]);
      throw this.failure(back, error);
    }
    for (const run of after.concat(this.told)) run();
    if (sink) return this.drain(sink[1]);
    if (printed) return this.text(printed[1]);
    if (outs.length) return this.made(outs, outNames, parents.concat(this.held));
    return this.resultOf(result, returned, back, parents);
  }

  private takeRecords(name: string, size: number, values: any): number {
    const kind = this.table.records[name][2];
    if (kind && ArrayBuffer.isView(values)) return this.takeList(["record", name], size, values);
    const first = this.take(size * values.length);
    for (let n = 0; n < values.length; n++) {
      const makeDefault = this.table.records[name][3];
      if (makeDefault) this.callDefault(makeDefault, name, first + n * size);
      this.writeRecord(name, first + n * size, values[n]);
    }
    return first;
  }

  private takeSource(source: Source): number {
    const isNamed = typeof source === "object" && "name" in source;
    const [bytes, size] = this.takeBytes(isNamed ? source.bytes : (source as Content));
    const [sourceSize, stateSize, nameOffset] = this.table.source;
    const state = this.take(stateSize);
    const at = this.take(sourceSize);
    this.exports.snw_source_from_memory(at, state, bytes, size);
    if (isNamed) this.writeScalar("u32", at + nameOffset, this.takeText(source.name));
    return at;
  }

  private takeSink(): [number, number] {
    const [sinkSize, stateSize] = this.table.sink;
    const state = this.take(stateSize);
    const at = this.take(sinkSize);
    this.exports.snw_sink_to_memory(at, state, 0);
    return [at, state];
  }

  private drain(state: number): Uint8Array {
    const [, , bytesOffset, sizeOffset] = this.table.sink;
    const out = this.view("u8", this.data.getUint32(state + bytesOffset, true), this.data.getUint32(state + sizeOffset, true)).slice();
    this.exports.snw_memory_sink_release(state);
    return out;
  }

  private placeOfResult([kind, of]: [string, string?]): { address: number; owned: boolean } {
    if (kind !== "value" || this.single(of!)) return { address: 0, owned: false };
    const size = this.table.records[of!][0];
    if (!this.exports[`${of}_destroy`]) return { address: this.take(size), owned: false };
    return { address: this.exports.malloc(size), owned: true }; // a view such as snw_trial_window: the struct itself is ours
  }

  private resultOf([kind, of]: [string, string?], returned: { address: number; owned: boolean }, back: any, parents: Resource[]): any {
    switch (kind) {
      case "scalar": return of === "bool" ? back !== 0 : of === "u32" ? back >>> 0 : of === "i64" ? Number(back) : back;
      case "string": return this.text(back);
      case "address": return back;
      case "handle": return back ? this.wrap(of!, new Resource(back, () => undefined, parents)) : null;
      case "pointed": return back ? this.readRecord(of!, back, null) : null;
      case "value": {
        if (returned.owned) return this.wrap(of!, new Resource(returned.address, this.exports.free, parents));
        if (returned.address) return this.readRecord(of!, returned.address, parents[0] ?? null);
        return { [this.table.records[of!][1][0][0]]: back };
      }
    }
    return undefined;
  }

  /** Later outs may lean on earlier ones: a motion on its skeleton. */
  private made(outs: [string, number][], names: string[], parents: Resource[]): any {
    const all: Record<string, Handle | null> = {};
    const before = [...parents];
    outs.forEach(([name, at], n) => {
      const address = this.data.getUint32(at, true);
      const handle = address ? this.own(name, address, [...before]) : null;
      all[names[n]] = handle;
      if (handle) before.push(resources.get(handle)!);
    });
    return outs.length === 1 ? all[names[0]] : all;
  }

  private failure(status: number, error: number): SinewError {
    const code = this.exports.snw_status_name ? this.text(this.exports.snw_status_name(status)) : String(status);
    const said = error ? this.readRecord("snw_error", error, null) : null;
    const message = said?.message || (this.exports.snw_status_text ? this.text(this.exports.snw_status_text(status)) : code);
    const place = said ? { byte: said.byte, line: said.line, frame: said.frame, index: said.index, name: said.name } : nowhere;
    return new SinewError(message, status, code, place);
  }
}

const nowhere = { byte: -1, line: -1, frame: -1, index: -1, name: "" };

/** Numbers, texts of fixed room and records may be set; what lies elsewhere in memory belongs to the library. */
const isPlain = (type: Field): boolean => typeof type === "string" || type[0] === "record" || type[0] === "text" || type[0] === "array";

const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

function release(handle: object): void {
  const resource = resources.get(handle);
  if (!resource) return; // a second dispose does nothing
  resources.delete(handle);
  collector?.unregister(handle);
  resource.release();
}
