// Unpacks an .lzma file, as `xz --format=lzma` writes it: the library is a fifth smaller than gzipped, and unpacked off the main thread.
//
//   byte 0       properties: (pb * 5 + lp) * 9 + lc
//   bytes 1-4    size of the dictionary, which is here the output itself
//   bytes 5-12   size of the output, or all ones: an end marker tells
//   then         range-coded bits: literals, matches (length, distance), repeated distances
//
// Pavlov, LZMA specification (draft, 2015), with its names for the states and the models.

const posStateMax = 16;
const stateCount = 12;
const probabilityHalf = 1024; // of 2048
const endMarker = 0xffffffff;

interface LengthModel {
  choice: Uint16Array;
  low: Uint16Array;
  mid: Uint16Array;
  high: Uint16Array;
}

const models = (count: number): Uint16Array => new Uint16Array(count).fill(probabilityHalf);
const lengthModel = (): LengthModel => ({ choice: models(2), low: models(posStateMax * 8), mid: models(posStateMax * 8), high: models(256) });

export function unpack(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const properties = packed[0];
  const lc = properties % 9;
  const lp = Math.floor(properties / 9) % 5;
  const pb = Math.floor(properties / 45);
  if (packed.length < 18 || properties >= 225) throw new Error("the page is damaged: the library in it cannot be unpacked");

  // ---- the range decoder ----
  // Range and code fill 32 bits each: in a typed array they are plain words, as variables they would be boxed at every step.
  const coder = new Uint32Array(2);
  let at = 14; // the first byte of the code is always 0
  coder[0] = 0xffffffff;
  for (let n = 0; n < 4; n++) coder[1] = (coder[1] << 8) | packed[at++];

  const bit = (model: Uint16Array, index: number): number => {
    const probability = model[index];
    const range = coder[0];
    const code = coder[1];
    const bound = (range >>> 11) * probability;
    const one = code >= bound ? 1 : 0;
    const left = one ? range - bound : bound;
    const rest = one ? code - bound : code;
    model[index] = one ? probability - (probability >>> 5) : probability + ((2048 - probability) >>> 5);
    if (left < 0x1000000) {
      coder[0] = left << 8;
      coder[1] = (rest << 8) | packed[at++];
    } else {
      coder[0] = left;
      coder[1] = rest;
    }
    return one;
  };
  const directBits = (count: number): number => {
    let value = 0;
    for (; count > 0; count--) {
      const half = coder[0] >>> 1;
      const one = coder[1] >= half ? 1 : 0;
      coder[0] = half;
      if (one) coder[1] -= half;
      value = (value << 1) | one;
      if (half < 0x1000000) {
        coder[0] = half << 8;
        coder[1] = (coder[1] << 8) | packed[at++];
      }
    }
    return value >>> 0;
  };
  const tree = (model: Uint16Array, base: number, bits: number): number => {
    let node = 1;
    for (let n = 0; n < bits; n++) node = (node << 1) | bit(model, base + node);
    return node - (1 << bits);
  };
  const reverseTree = (model: Uint16Array, base: number, bits: number): number => {
    let node = 1;
    let value = 0;
    for (let n = 0; n < bits; n++) {
      const one = bit(model, base + node);
      node = (node << 1) | one;
      value |= one << n;
    }
    return value;
  };

  // ---- the models ----
  const literals = models(0x300 << (lc + lp));
  const isMatch = models(stateCount * posStateMax);
  const isRep = models(stateCount);
  const isRepG0 = models(stateCount);
  const isRepG1 = models(stateCount);
  const isRepG2 = models(stateCount);
  const isRep0Long = models(stateCount * posStateMax);
  const slots = models(4 * 64);
  const places = models(128);
  const align = models(16);
  const matchLength = lengthModel();
  const repLength = lengthModel();
  const lengthOf = ({ choice, low, mid, high }: LengthModel, posState: number): number => {
    if (!bit(choice, 0)) return 2 + tree(low, posState * 8, 3);
    if (!bit(choice, 1)) return 10 + tree(mid, posState * 8, 3);
    return 18 + tree(high, 0, 8);
  };
  const distanceOf = (length: number): number => {
    const slot = tree(slots, Math.min(length - 2, 3) * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >>> 1) - 1;
    const base = ((2 | (slot & 1)) << bits) >>> 0;
    if (slot < 14) return base + reverseTree(places, base - slot, bits);
    return base + ((directBits(bits - 4) << 4) >>> 0) + reverseTree(align, 0, 4);
  };

  // ---- the output ----
  let out = new Uint8Array(4 * packed.length);
  let size = 0;
  const room = (count: number): void => {
    if (size + count <= out.length) return;
    const larger = new Uint8Array(2 * (size + count));
    larger.set(out);
    out = larger;
  };

  let state = 0;
  let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];
  const literal = (): void => {
    const before = size ? out[size - 1] : 0;
    const model = 0x300 * (((size & ((1 << lp) - 1)) << lc) + (before >>> (8 - lc)));
    let symbol = 1;
    if (state >= 7) {
      let match = out[size - rep0 - 1];
      do {
        const matchBit = (match >>> 7) & 1;
        match <<= 1;
        const one = bit(literals, model + ((1 + matchBit) << 8) + symbol);
        symbol = (symbol << 1) | one;
        if (matchBit !== one) break;
      } while (symbol < 0x100);
    }
    while (symbol < 0x100) symbol = (symbol << 1) | bit(literals, model + symbol);
    room(1);
    out[size++] = symbol;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  };
  /** Which of the last four distances; 0: the short form, one byte of the last distance, is done. */
  const repeated = (posState: number): number => {
    if (!bit(isRepG0, state)) {
      if (!bit(isRep0Long, state * posStateMax + posState)) {
        state = state < 7 ? 9 : 11;
        room(1);
        out[size] = out[size - rep0 - 1];
        size++;
        return 0;
      }
    } else if (!bit(isRepG1, state)) {
      [rep0, rep1] = [rep1, rep0];
    } else if (!bit(isRepG2, state)) {
      [rep0, rep1, rep2] = [rep2, rep0, rep1];
    } else {
      [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2];
    }
    state = state < 7 ? 8 : 11;
    return lengthOf(repLength, posState);
  };

  while (at <= packed.length) {
    const posState = size & ((1 << pb) - 1);
    if (!bit(isMatch, state * posStateMax + posState)) {
      literal();
      continue;
    }
    let length: number;
    if (bit(isRep, state)) {
      length = repeated(posState);
    } else {
      [rep1, rep2, rep3] = [rep0, rep1, rep2];
      length = lengthOf(matchLength, posState);
      state = state < 7 ? 7 : 10;
      rep0 = distanceOf(length);
      if (rep0 === endMarker) return out.slice(0, size);
    }
    if (rep0 >= size) break;
    room(length);
    for (let end = size + length, from = size - rep0 - 1; size < end; ) out[size++] = out[from++];
  }
  throw new Error("the page is damaged: the library in it cannot be unpacked");
}
