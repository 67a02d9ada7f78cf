// Colours of the scene in both themes, and of segments: blue on the left of the body, orange on the right, as animation tools have it.
import { Color } from "three";

export interface Palette {
  background: Color;
  grid: Color;
  gridStrong: Color;
  bone: Color;
  skin: Color;
  joint: Color;
  marker: Color;
  missing: Color;
  filled: Color;
  chosen: Color;
  force: Color;
  text: string;
  textShadow: string;
}

const hex = (value: string): Color => new Color(value);

export const light: Palette = {
  background: hex("#f4f5f7"), grid: hex("#dfe2e8"), gridStrong: hex("#c9ced8"), bone: hex("#c3c9d4"), skin: hex("#d9b8a0"), joint: hex("#98a2b3"), marker: hex("#3d7dd8"),
  missing: hex("#b9bfca"), filled: hex("#c2410c"), chosen: hex("#d6226f"), force: hex("#0f9d7a"), text: "#2a3140", textShadow: "rgba(244,245,247,.85)",
};
export const dark: Palette = {
  background: hex("#12151b"), grid: hex("#232934"), gridStrong: hex("#343c4b"), bone: hex("#8d97a8"), skin: hex("#b08f7a"), joint: hex("#c4ccd9"), marker: hex("#74a8f5"),
  missing: hex("#454d5c"), filled: hex("#fb8c4a"), chosen: hex("#ff5c9e"), force: hex("#35d0a5"), text: "#e6e9ef", textShadow: "rgba(18,21,27,.85)",
};

const left = ["#2f7ed8", "#1b9cc4", "#4667d6", "#5aa7e8", "#0f87a8", "#7a8df0"];
const right = ["#e0772a", "#cf4f3a", "#e3a02b", "#d9623f", "#b9552f", "#f0996b"];
const middle = ["#7e57c2", "#3f9b63", "#8a7ca8", "#5b8c5a", "#a56bb5", "#6f8f3c"];
const plain = ["#3d7dd8", "#e0772a", "#3f9b63", "#cf3f74", "#7e57c2", "#1b9cc4", "#b58a1c", "#8c564b", "#5f7f95", "#5aa02c"];

/** One colour for each segment, by its name where that tells a side. */
export function segmentColors(names: string[]): Color[] {
  const next = { left: 0, right: 0, middle: 0 };
  const known = names.some((name) => sideOf(name) !== "middle");
  return names.map((name, n) => {
    if (!known) return hex(plain[n % plain.length]);
    const side = sideOf(name);
    const family = side === "left" ? left : side === "right" ? right : middle;
    return hex(family[next[side]++ % family.length]);
  });
}

export function sideOf(name: string): "left" | "right" | "middle" {
  if (/^[Ll]eft|^L[_A-Z]|[_.][lL]$|[Ll]eft$/.test(name)) return "left";
  if (/^[Rr]ight|^R[_A-Z]|[_.][rR]$|[Rr]ight$/.test(name)) return "right";
  return "middle";
}
