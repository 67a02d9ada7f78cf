// Reads the public headers through clang and writes what the JavaScript side must know about them, so that the binding never
// lags behind the library:
//   generated.ts   types with the headers' own comments, enums, and the tables that src/runtime.ts calls by
//   check.c        static asserts that the layouts in those tables are the compiler's
//   exports.txt    the functions that the linker must export
//
// usage: node generate.mjs INCLUDE_DIR OUTPUT_DIR [--modules base,math,...] [--only name,name,...]
//   --modules: only functions of these headers; --only: only these functions, by their JavaScript names (what they need comes along)
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [include, output] = process.argv.slice(2);
const list = (flag) => {
  const at = process.argv.indexOf(flag);
  return at < 0 ? null : new Set(process.argv[at + 1].split(",").filter(Boolean));
};
const modules = list("--modules");
const only = list("--only");

// ---- the headers: clang's syntax tree for types, the text for comments and array shapes ----------------------------------

const headers = Object.fromEntries(
  readdirSync(join(include, "sinew"))
    .filter((name) => name.endsWith(".h") && name !== "sinew.h")
    .map((name) => [name.replace(".h", ""), readFileSync(join(include, "sinew", name), "utf8")]),
);
const tree = JSON.parse(
  execFileSync(
    process.env.CLANG || "clang",
    ["--target=wasm32-wasi", "--sysroot=/", "-isystem", "/usr/include/wasm32-wasi", "-std=c17", "-I", include]
      .concat(["-fsyntax-only", "-Xclang", "-ast-dump=json", "-x", "c", "-"]),
    { input: "#include <sinew/sinew.h>\n", maxBuffer: 1 << 28 },
  ).toString(),
);
const ours = (kind) => tree.inner.filter((node) => node.kind === kind && (node.name || "").startsWith("snw_"));

const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
/** The global Error keeps its name: what the library says of one is a Failure. */
const pascal = (name) => (name === "snw_error" ? "Failure" : camel("_" + name.replace(/^snw_/, "")));
const declared = (name) => new RegExp(`(SNW_API|SNW_INLINE)[^;{}/]*\\b${name}\\(`);
const module_of = (name) => Object.keys(headers).find((module) => declared(name).test(headers[module]));

/** The comment right above a declaration. */
function comment_above(text, at) {
  const before = text.slice(0, at);
  const match = /\/\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before);
  if (!match || match[1].includes("----")) return "";
  return match[1].split("\n").map((line) => line.replace(/^\s*\* ?/, "").trim()).join("\n").trim();
}

// ---- enums and records ---------------------------------------------------------------------------------------------------

const enums = {};
for (const node of ours("EnumDecl")) {
  let next = 0;
  enums[node.name] = (node.inner || []).filter((n) => n.kind === "EnumConstantDecl").map((constant) => {
    const value = constant.inner && find_value(constant.inner);
    if (value !== undefined && value !== null) next = Number(value);
    return [constant.name, next++];
  });
}
function find_value(nodes) {
  for (const node of nodes || []) {
    if (node.kind === "ConstantExpr" || node.kind === "IntegerLiteral") return node.value ?? find_value(node.inner);
    const inner = find_value(node.inner);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const scalars = {
  "int": "i32", "unsigned int": "u32", "unsigned": "u32", "char": "i8", "signed char": "i8", "bool": "bool", "_Bool": "bool", "double": "f64",
  "float": "f32", "uint8_t": "u8", "int8_t": "i8", "int16_t": "i16", "uint16_t": "u16", "int32_t": "i32", "uint32_t": "u32",
  "int64_t": "i64", "uint64_t": "u64", "size_t": "u32", "long": "i32", "long long": "i64",
};
const sizes = { i32: 4, u32: 4, f64: 8, f32: 4, u8: 1, i8: 1, i16: 2, u16: 2, i64: 8, u64: 8, bool: 1, pointer: 4, "function": 4 };

/** typedef void snw_task(...): types of functions, which cannot cross into JavaScript. */
const function_types = new Set(ours("TypedefDecl").filter((n) => /\)$/.test(n.type.qualType)).map((n) => n.name));
const record_nodes = Object.fromEntries(ours("RecordDecl").filter((n) => n.completeDefinition).map((n) => [n.name, n]));
const is_record = (name) => name in record_nodes;
/** What reads the memory of another process (shared_pose.h) has no use in a page. */
const functions_of_ours = ours("FunctionDecl").filter((node) => module_of(node.name));
/** Records that the library makes and destroys: JavaScript holds them by handle. */
const handles = new Set(
  functions_of_ours.filter((f) => /^snw_\w+_destroy$/.test(f.name)).map((f) => f.name.replace(/_destroy$/, "")),
);
const skipped_records = new Set(["snw_allocator", "snw_source", "snw_sink", "snw_memory_source", "snw_memory_sink"]);

/** A C type as {scalar} | {record} | {array, count} | {pointer, is_const} | {function}. */
function parse_type(text) {
  text = text.trim().replace(/\b(struct|enum) /g, "");
  const array = /^(.*?)\s*\[(\d+)\]((?:\[\d+\])*)$/.exec(text);
  if (array && !text.includes("(")) return { array: parse_type(array[1] + array[3]), count: Number(array[2]) };
  if (text.includes("(*)") || /\(.*\)$/.test(text)) return { function: true };
  const pointer = /^(.*)\*\s*(const)?$/.exec(text);
  if (pointer) return { pointer: parse_type(pointer[1]), is_const: /\bconst\b/.test(pointer[1].replace(/\*.*$/, "")) && !pointer[1].trim().endsWith("*") };
  const bare = text.replace(/\bconst\b/, "").trim();
  if (bare in scalars) return { scalar: scalars[bare], is_char: bare === "char" };
  if (bare in enums) return { scalar: "i32", enum: bare };
  if (function_types.has(bare)) return { function: true };
  if (bare.startsWith("snw_")) return { record: bare };
  return { unknown: bare };
}

function measure(type) {
  if (type.scalar) return { size: sizes[type.scalar], align: sizes[type.scalar] };
  if (type.pointer || type.function || type.unknown) return { size: 4, align: 4 };
  if (type.array) {
    const item = measure(type.array);
    return { size: item.size * type.count, align: item.align };
  }
  return layout(type.record);
}

const layouts = {};
function layout(name) {
  if (layouts[name]) return layouts[name];
  const node = record_nodes[name];
  if (!node) throw new Error(`${name} is not a public record`);
  let size = 0;
  let align = 1;
  const fields = [];
  for (const field of (node.inner || []).filter((n) => n.kind === "FieldDecl")) {
    const type = parse_type(field.type.qualType);
    const m = measure(type);
    size = Math.ceil(size / m.align) * m.align;
    fields.push({ name: field.name, offset: size, type });
    size += m.size;
    align = Math.max(align, m.align);
  }
  return (layouts[name] = { name, size: Math.ceil(size / align) * align, align, fields });
}
Object.keys(record_nodes).forEach(layout);

/** "(frame_count x marker_count)" behind a field, as a list of factors; without one, the record's own `field_count`. */
function shape_of(record, field) {
  for (const text of Object.values(headers)) {
    const body = new RegExp(`typedef struct ${record} \\{([\\s\\S]*?)\\n\\} ${record};`).exec(text);
    if (!body) continue;
    const match = new RegExp(`\\b${field}(?:, [^;]*)?;\\s*/\\*\\s*\\(([^)]*)\\)`).exec(body[1]);
    if (!match && layouts[record]?.fields.some((f) => f.name === `${field}_count`)) return [`${field}_count`];
    return match ? match[1].split(/\s+x\s+|;.*$|,.*$/).map((s) => s.trim()).filter((s) => /^\w+$/.test(s)) : null;
  }
  return null;
}

/** A field's type as the runtime reads it: see Field in src/runtime.ts. */
function encode_type(type, record, field) {
  if (type.scalar) return type.scalar;
  if (type.array) {
    if (type.array.is_char) return ["text", type.count];
    return ["array", encode_type(type.array, record, field), type.count, measure(type.array).size];
  }
  if (type.record) return skipped_records.has(type.record) ? null : ["record", type.record];
  if (type.pointer) {
    const target = type.pointer;
    if (target.record === "snw_source") return ["source"];
    if (target.is_char) return ["string"];
    if (target.unknown === "void") return "u32"; // an address, for sinew.view()
    if (target.record && handles.has(target.record)) {
      const shape = shape_of(record, field);
      return shape ? null : ["handle", target.record];
    }
    if (target.pointer && target.pointer.is_char) return ["strings", shape_of(record, field) || []];
    if (target.scalar || target.record) {
      if (target.record && skipped_records.has(target.record)) return null;
      // What the call writes into: structs of options, and arrays of structs that are the caller's own.
      const is_told = !type.is_const && (target.record ? /_options$/.test(record) : !layouts[record]?.fields.some((f) => f.name === "allocator"));
      return ["list", encode_type(target, record, field), measure(target).size, shape_of(record, field) || [], ...(is_told ? [true] : [])];
    }
  }
  return null;
}

/** Name of the function that makes a record's default, if there is one. */
const default_of = (name) => functions_of_ours.map((f) => f.name).find((f) => f === `${name}_default` || f === `${name}_none`);

// ---- functions -----------------------------------------------------------------------------------------------------------

const skipped = [];
function describe(node) {
  const parameters = (node.inner || []).filter((n) => n.kind === "ParmVarDecl").map((p) => ({ name: p.name, text: p.type.qualType, type: parse_type(p.type.qualType) }));
  if (node.variadic || parameters.some((p) => p.text.includes("va_list"))) return null;
  const kinds = [];
  for (let n = 0; n < parameters.length; n++) {
    const p = parameters[n];
    const next = parameters[n + 1];
    const has_count = next && next.type.scalar && /(^|_)(count|size)$/.test(next.name) && next.type.scalar !== "f64";
    const kind = parameter_kind(p, has_count);
    if (!kind) return null;
    kinds.push([camel(p.name), ...kind]);
    if (kind[2] === "count") n++;
  }
  const result = result_kind(node);
  if (!result) return null;
  return { name: node.name, is_inline: node.storageClass === "static", kinds, result, module: module_of(node.name) };
}

function parameter_kind({ text, type, name }, has_count) {
  const count = has_count ? ["count"] : [];
  if (type.scalar) return ["scalar", type.scalar, ...(type.enum ? [pascal(type.enum)] : [])];
  if (type.record) return ["value", type.record];
  if (!type.pointer) return null;
  const target = type.pointer;
  if (target.record === "snw_allocator") return ["allocator"];
  if (target.record === "snw_error" && !type.is_const) return ["error"];
  if (target.record === "snw_notes" && !type.is_const) return ["notes"];
  if (target.record === "snw_source") return ["source"];
  if (target.record === "snw_sink") return ["sink"];
  if (target.record && skipped_records.has(target.record)) return null;
  if (target.is_char && type.is_const) return has_count ? ["bytes", "", "count"] : ["string"];
  if (target.is_char) return has_count ? ["printed", "", "count"] : ["printed", ""];
  if (target.unknown === "void" || text.includes("void *")) return type.is_const && has_count ? ["bytes", "", "count"] : null;
  if (target.pointer) {
    if (target.pointer.is_char && text.includes("const char")) return ["strings", "", ...count];
    if (target.pointer.record && handles.has(target.pointer.record)) return text.includes("*const *") || type.is_const ? null : ["out", target.pointer.record];
    return null;
  }
  if (target.record && handles.has(target.record)) return ["handle", target.record];
  if (target.record && is_record(target.record)) return type.is_const ? ["records", target.record, ...count] : ["update", target.record];
  if (target.scalar) return type.is_const ? ["numbers", target.scalar, ...count] : ["fill", target.scalar];
  return null;
}

function result_kind(node) {
  const text = node.type.qualType.replace(/\s*\(.*$/s, "").trim();
  if (text === "void") return ["void"];
  const type = parse_type(text);
  if (type.enum === "snw_status") return ["status"];
  if (type.scalar) return ["scalar", type.scalar, ...(type.enum ? [pascal(type.enum)] : [])];
  if (type.record) return skipped_records.has(type.record) ? null : ["value", type.record];
  if (type.pointer?.is_char) return ["string"];
  if (type.pointer?.record && handles.has(type.pointer.record)) return ["handle", type.pointer.record];
  if (type.pointer?.record && is_record(type.pointer.record)) return ["pointed", type.pointer.record];
  if (type.pointer?.scalar) return ["address", type.pointer.scalar];
  return null;
}

const js_name = (name) => camel(name.replace(/^snw_/, ""));
const file_functions = /_file$|^snw_write_file$|^snw_detect_file$/;
let functions = [];
for (const node of functions_of_ours) {
  if (file_functions.test(node.name)) continue; // there are no files in here: bytes come and go as Uint8Array
  const f = describe(node);
  if (f) functions.push(f);
  else skipped.push(node.name);
}
functions = functions.filter((f, n) => functions.findIndex((g) => g.name === f.name) === n);
if (modules) functions = functions.filter((f) => modules.has(f.module));
if (only) {
  const needed = new Set(only);
  for (const f of functions) {
    const records = f.kinds.filter((k) => ["records", "update", "value"].includes(k[1])).map((k) => default_of(k[2])).filter(Boolean);
    const made = [...f.kinds.filter((k) => k[1] === "out").map((k) => `${k[2]}_destroy`)];
    if (only.has(js_name(f.name))) records.concat(made).forEach((name) => needed.add(js_name(name)));
  }
  const missing = [...only].filter((name) => !functions.some((f) => js_name(f.name) === name));
  if (missing.length) throw new Error(`the headers have no ${missing.join(", ")}`);
  functions = functions.filter((f) => needed.has(js_name(f.name)));
}

// ---- what is written -----------------------------------------------------------------------------------------------------

/** Records that a function's numbers travel in. */
const used = new Set();
function use(name) {
  if (used.has(name) || !layouts[name]) return;
  used.add(name);
  for (const field of layouts[name].fields)
    for (let t = field.type; t; t = t.array || t.pointer) if (t.record && !skipped_records.has(t.record)) use(t.record);
}
["snw_error", "snw_notes", "snw_memory_source", "snw_memory_sink", "snw_source", "snw_sink"].forEach(use);
for (const f of functions) {
  f.kinds.forEach((k) => layouts[k[2]] && use(k[2]));
  if (layouts[f.result[1]]) use(f.result[1]);
}

const number_types = { u64: "number | bigint", bool: "boolean" };
const ts_scalar = (scalar) => number_types[scalar] || "number";
const view_types = { f64: "Float64Array", f32: "Float32Array", i32: "Int32Array", u32: "Uint32Array", u8: "Uint8Array", i8: "Int8Array", i16: "Int16Array", u16: "Uint16Array", bool: "Uint8Array" };

/** A record of nothing but one kind of number is handed out as one typed array. */
function flat(name) {
  let kind = null;
  let is_flat = true;
  const walk = (type) => {
    if (type.scalar && ["f64", "f32", "i32"].includes(type.scalar) && (kind === null || kind === type.scalar)) kind = type.scalar;
    else if (type.array) walk(type.array);
    else if (type.record) layouts[type.record].fields.forEach((f) => walk(f.type));
    else is_flat = false;
  };
  layouts[name].fields.forEach((f) => walk(f.type));
  return is_flat ? kind : null;
}

function ts_field(encoded) {
  if (encoded === null) return null;
  if (typeof encoded === "string") return ts_scalar(encoded);
  switch (encoded[0]) {
    case "text":
    case "string": return "string";
    case "array": return `${ts_field(encoded[1])?.includes("|") ? `(${ts_field(encoded[1])})` : ts_field(encoded[1])}[]`;
    case "record": return pascal(encoded[1]);
    case "handle": return pascal(encoded[1]);
    case "source": return "Source";
    case "strings": return "string[]";
    case "list": {
      const item = encoded[1];
      if (!encoded[3].length) return typeof item !== "string" && item[0] === "record" ? `${pascal(item[1])} | null` : "number";
      if (typeof item === "string") return view_types[item] || "number[]";
      if (item[0] === "record" && flat(item[1])) return view_types[flat(item[1])];
      return `${ts_field(item)}[]`;
    }
  }
  return null;
}

function doc(text, indent = "") {
  if (!text) return "";
  const lines = text.replace(/\*\//g, "").split("\n");
  return lines.length === 1 ? `${indent}/** ${lines[0]} */\n` : `${indent}/**\n${lines.map((l) => `${indent} * ${l}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function record_comment(name) {
  for (const text of Object.values(headers)) {
    const at = text.indexOf(`typedef struct ${name} {`);
    if (at >= 0) return comment_above(text, at);
  }
  return "";
}

const is_plain = (type) => typeof type === "string" || ["record", "text", "array"].includes(type[0]);
let types = "";
const place = (record, field) => layouts[record].fields.find((f) => f.name === field).offset;
const table = {
  records: {},
  functions: {},
  // Sources and sinks are made by hand: the runtime must know where their fields are.
  source: [layouts.snw_source.size, layouts.snw_memory_source.size, place("snw_source", "name")],
  sink: [layouts.snw_sink.size, layouts.snw_memory_sink.size, place("snw_memory_sink", "bytes"), place("snw_memory_sink", "size")],
};
for (const name of used) {
  if (skipped_records.has(name)) continue;
  const is_handle = handles.has(name);
  const fields = layouts[name].fields.filter((f) => !["allocator", "block_size", "reserved"].includes(f.name));
  const encoded = fields.map((f) => [camel(f.name), f.offset, encode_type(f.type, name, f.name)]).filter((f) => f[2] !== null);
  table.records[name] = [layouts[name].size, encoded, flat(name)].concat(default_of(name) ? [default_of(name)] : []);
  types += doc(record_comment(name));
  types += `export interface ${pascal(name)}${is_handle ? " extends Handle" : ""} {\n`;
  for (const [field, , type] of encoded) types += `  ${is_handle && !is_plain(type) ? "readonly " : ""}${field}: ${ts_field(type)};\n`;
  types += "}\n\n";
}
for (const name of handles) if (!layouts[name]) types += `${doc("Made and freed by the library; its insides are its own.")}export interface ${pascal(name)} extends Handle {}\n\n`;

let enum_text = "";
for (const [name, constants] of Object.entries(enums)) {
  const words = constants.filter(([c]) => !c.endsWith("_COUNT")).map(([c]) => c.split("_"));
  let common = 0;
  while (words.length > 1 && words.every((w) => w.length > common + 1 && w[common] === words[0][common])) common++;
  if (words.length <= 1) common = 1;
  const entries = constants.map(([c, v]) => `${c.split("_").slice(c.endsWith("_COUNT") ? -1 : common).join("_").replace(/^(\d)/, "_$1")}: ${v}`);
  enum_text += `export const ${pascal(name)} = { ${[...new Set(entries)].join(", ")} } as const;\nexport type ${pascal(name)} = number;\n`;
}

let api = "";
const scalar_arg = (k) => (k[3] && k[3] !== "count" ? k[3] : ts_scalar(k[2]));
for (const f of functions) {
  const visible = [];
  const outs = [];
  let result = f.result[0] === "status" || f.result[0] === "void" ? "void" : f.result[0] === "scalar" ? (f.result[2] || (ts_scalar(f.result[1]).startsWith("number") ? "number" : ts_scalar(f.result[1]))) : f.result[0] === "string" ? "string" : f.result[0] === "address" ? "number" : pascal(f.result[1]) + (f.result[0] === "pointed" || f.result[0] === "handle" ? " | null" : "");
  for (const k of f.kinds) {
    const is_open = layouts[k[2]]?.fields.some((f) => f.type.pointer); // lists bring their counts, pointers may be null
    const partial = k[2] && (default_of(k[2]) || is_open) ? `Partial<${pascal(k[2])}>` : k[2] && layouts[k[2]] ? pascal(k[2]) : "";
    const optional = /options$|^correlation$/.test(k[0]);
    if (k[1] === "scalar") visible.push([k[0], scalar_arg(k)]);
    else if (k[1] === "value") visible.push([k[0], pascal(k[2])]);
    else if (k[1] === "notes") visible.push([k[0], "Note[] | null", true]);
    else if (k[1] === "source") visible.push([k[0], "Source"]);
    else if (k[1] === "string") visible.push([k[0], "string | null"]);
    else if (k[1] === "bytes") visible.push([k[0], "string | Uint8Array"]);
    else if (k[1] === "strings") visible.push([k[0], "string[] | null"]);
    else if (k[1] === "handle") visible.push([k[0], `${pascal(k[2])} | null`]);
    else if (k[1] === "records") visible.push([k[0], optional ? `${partial} | null` : `${partial} | ${partial}[]${flat(k[2]) ? " | " + view_types[flat(k[2])] : ""} | null`, optional]);
    else if (k[1] === "update") visible.push([k[0], `${pascal(k[2])} | Partial<${pascal(k[2])}> | null`]);
    else if (k[1] === "numbers") visible.push([k[0], `ArrayLike<number> | null`]);
    else if (k[1] === "fill") visible.push([k[0], `${view_types[k[2]] || "BigInt64Array"} | null`]);
    else if (k[1] === "out") outs.push(k);
    else if (k[1] === "sink") result = "Uint8Array";
    else if (k[1] === "printed") result = "string";
  }
  if (outs.length === 1) result = pascal(outs[0][2]);
  if (outs.length > 1) result = `{ ${outs.map((k) => `${k[0]}: ${pascal(k[2])}`).join("; ")} }`;
  while (visible.length && !visible.at(-1)[2] && /^(notes|options)$/.test(visible.at(-1)[0])) visible.at(-1)[2] = true;
  let may_omit = true;
  for (const v of [...visible].reverse()) { may_omit = may_omit && v[2]; v[2] = may_omit; }
  const text = headers[f.module];
  const at = text.search(declared(f.name));
  api += doc(comment_above(text, at), "  ");
  api += `  ${js_name(f.name)}(${visible.map((v) => `${v[0]}${v[2] ? "?" : ""}: ${v[1]}`).join(", ")}): ${result};\n`;
  table.functions[js_name(f.name)] = [f.name, f.result, f.kinds.map((k) => k.slice(1))];
  if (f.kinds.some((k) => k[1] === "out")) table.functions[js_name(f.name)].push(f.kinds.filter((k) => k[1] === "out").map((k) => k[0]));
}

mkdirSync(output, { recursive: true });
writeFileSync(join(output, "generated.ts"), `// Written by generate.mjs from the public headers.
import type { Handle, Source, CallTable } from "./runtime.js";

${types}${enum_text}
/** Every public function, under its C name without the prefix. Options and notes may be left out. What fails throws SinewError. */
export interface Functions {
${api}}

export const table = ${JSON.stringify(table)} as unknown as CallTable;
`);
const checks = [...used].filter((name) => layouts[name]).flatMap((name) => [
  `_Static_assert(sizeof(${name}) == ${layouts[name].size}, "${name}");`,
  ...layouts[name].fields.map((f) => `_Static_assert(offsetof(${name}, ${f.name}) == ${f.offset}, "${name}.${f.name}");`),
]);
const inline = functions.filter((f) => f.is_inline).map((f) => {
  const node = functions_of_ours.find((n) => n.name === f.name);
  const parameters = (node.inner || []).filter((n) => n.kind === "ParmVarDecl");
  const result = node.type.qualType.replace(/\s*\(.*$/s, "").trim();
  return `__attribute__((export_name("${f.name}"))) ${result} wasm_${f.name}(${parameters.map((p) => `${p.type.qualType} ${p.name}`).join(", ") || "void"});\n` +
    `${result} wasm_${f.name}(${parameters.map((p) => `${p.type.qualType} ${p.name}`).join(", ") || "void"}) { return ${f.name}(${parameters.map((p) => p.name).join(", ")}); }`;
});
writeFileSync(join(output, "check.c"), `/* Written by generate.mjs. */\n#include <stddef.h>\n#include <sinew/sinew.h>\n${checks.join("\n")}\n${inline.join("\n")}\n`);
const needed = new Set(functions.filter((f) => !f.is_inline).map((f) => f.name));
for (const name of used) if (default_of(name)) needed.add(default_of(name));
for (const name of handles) if (functions.some((f) => f.kinds.some((k) => k[2] === name) || f.result[1] === name)) needed.add(`${name}_destroy`);
const has = (name) => functions_of_ours.some((f) => f.name === name);
if (has("snw_source_from_memory")) ["snw_source_from_memory", "snw_sink_to_memory", "snw_memory_sink_release"].forEach((n) => (!modules || modules.has("io")) && needed.add(n));
writeFileSync(join(output, "exports.txt"), ["malloc", "free", "snw_status_name", "snw_status_text", ...[...needed].sort()].map((n) => `--export=${n}`).join("\n") + "\n");
console.log(`${functions.length} functions, ${used.size} records; left out: ${skipped.join(" ") || "none"}`);
