// Graphs as SVG and CSV, as they are seen.
import type { Plot } from "../graph_data";

const escape = (text: string): string => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);

export function plotsSvg(plots: Plot[]): string {
  const width = 720;
  const height = 200;
  const parts = plots.map((plot, n) => `<g transform="translate(0 ${n * height})">${plotSvg(plot, width, height)}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${plots.length * height}" width="${width}" height="${plots.length * height}" font-family="system-ui, sans-serif" font-size="11">` +
    `<rect width="100%" height="100%" fill="white"/>${parts.join("")}</svg>\n`;
}

function plotSvg(plot: Plot, width: number, height: number): string {
  const box = { left: 56, right: width - 12, top: 26, bottom: height - 28 };
  const all = plot.curves.flatMap((c) => c.values).filter((v): v is number => v !== null);
  const low = all.reduce((a, b) => Math.min(a, b), Infinity);
  const high = all.reduce((a, b) => Math.max(a, b), -Infinity);
  const pad = (high - low) * 0.06 || 1;
  const [x0, x1] = [plot.x[0], plot.x[plot.x.length - 1]];
  const px = (v: number): number => box.left + ((v - x0) / (x1 - x0 || 1)) * (box.right - box.left);
  const py = (v: number): number => box.bottom - ((v - low + pad) / (high - low + 2 * pad)) * (box.bottom - box.top);
  const ticks = [low, (low + high) / 2, high].map((v) => `<path d="M${box.left} ${py(v).toFixed(1)}H${box.right}" stroke="#e1e4ea"/><text x="${box.left - 6}" y="${(py(v) + 4).toFixed(1)}" text-anchor="end" fill="#5a6474">${+v.toPrecision(3)}</text>`);
  const times = [x0, (x0 + x1) / 2, x1].map((v) => `<text x="${px(v).toFixed(1)}" y="${height - 10}" text-anchor="middle" fill="#5a6474">${+v.toFixed(2)}</text>`);
  const curves = plot.curves.map((curve) => {
    let isOpen = false;
    const d = curve.values.map((v, n) => {
      if (v === null) { isOpen = false; return ""; }
      const step = `${isOpen ? "L" : "M"}${px(plot.x[n]).toFixed(1)} ${py(v).toFixed(1)}`;
      isOpen = true;
      return step;
    }).join("");
    return `<path d="${d}" fill="none" stroke="${curve.color}" stroke-width="1.3"${curve.isDashed ? ' stroke-dasharray="4 3"' : ""}/>`;
  });
  const names = plot.curves.map((c) => c.name.trim()).filter(Boolean).join(", ");
  return `<text x="${box.left}" y="16" font-weight="600">${escape(plot.title)} <tspan font-weight="400" fill="#5a6474">(${escape(plot.unit)}) ${escape(names)}</tspan></text>${ticks.join("")}${times.join("")}${curves.join("")}`;
}

/** One table: the first plot's clock, then every curve; plots with another clock follow below. */
export function curvesCsv(plots: Plot[]): string {
  const blocks: string[] = [];
  let rest = plots;
  while (rest.length) {
    const [{ x, isCyclic }] = rest;
    const same = rest.filter((plot) => plot.x.length === x.length && plot.x[1] === x[1]);
    rest = rest.filter((plot) => !same.includes(plot));
    const head = [isCyclic ? "percent" : "time_s", ...same.flatMap((plot) => plot.curves.map((c) => `${plot.title} ${c.name} (${plot.unit})`))];
    const rows = x.map((at, n) => [+at.toFixed(6), ...same.flatMap((plot) => plot.curves.map((c) => c.values[n] ?? ""))].join(","));
    blocks.push([head.map((word) => `"${word.replace(/"/g, '""')}"`).join(","), ...rows].join("\n"));
  }
  return blocks.join("\n\n") + "\n";
}
