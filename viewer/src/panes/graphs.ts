// Curves over the same clock as the motion: hovering moves the body, dragging chooses the part that is played.
import uPlot from "uplot";
import type { Clock } from "../clock";
import type { Comparison } from "../compare";
import type { Document } from "../document";
import { h, iconButton, replace, save } from "../dom";
import { type Curve, type Plot, graphKinds, plotsOf } from "../graph_data";
import type { Selection } from "../selection";
import { item, openMenu } from "../menu";
import { TaylorPane } from "./taylor";
import { curvesCsv, plotsSvg } from "./graph_export";

export class GraphsPane {
  private plots: { chart: uPlot; head: HTMLElement; plot: Plot }[] = [];
  private readonly area = h("div", { class: "plots", role: "group", tabindex: "0", "aria-label": "Curves" });
  private readonly kind = h("select", { "aria-label": "What is drawn" });
  private readonly cycles = iconButton("loop", "Cycle view: lay the cycles between events over each other", () => this.toggleCycles(), { "aria-pressed": "false" });
  private readonly sides = iconButton("swap", "Left and right in one graph", () => this.toggleSides(), { "aria-pressed": "true" });
  private readonly taylor: TaylorPane;
  private isCyclic = false;
  private isPaired = true;
  private isStale = true;
  private isDark = false;

  constructor(root: HTMLElement, private readonly parts: { document: Document; clock: Clock; selection: Selection; comparison: Comparison }) {
    const { document, clock, selection, comparison } = parts;
    this.taylor = new TaylorPane(parts, (isNew) => (isNew ? this.invalidate() : this.redraw()));
    const exportButton = iconButton("save", "Save these graphs", () => openMenu(exportButton, h("div", {},
      item("As SVG", "what is seen", () => this.exportSvg()), item("As CSV", "numbers of the part shown", () => this.exportCsv()))));
    replace(root, h("div", { class: "graph-bar" }, this.kind, this.sides, this.cycles, exportButton), this.area);
    this.kind.addEventListener("change", () => {
      this.isChosen = true;
      this.invalidate();
    });
    for (const signal of [document.capture, document.body, document.filled, document.skins, selection.chosen, comparison.kept]) (signal as { watch(f: () => void): void }).watch(() => this.invalidate());
    clock.window.watch(() => {
      this.zoom();
      if (this.isTaylor) this.taylor.open();
    });
    clock.frame.watch((frame) => this.movePlayheads(frame));
    new ResizeObserver(() => this.resize()).observe(this.area);
  }

  get chosenKind(): string {
    return this.kind.value;
  }
  choose(kind: string): void {
    if ([...this.kind.options].some((option) => option.value === kind)) this.kind.value = kind;
    this.wanted = kind;
    this.isChosen = true;
    this.invalidate();
  }
  private wanted = ""; // by a link, before there is anything to draw
  private isChosen = false; // by the user; until then the first kind there is

  private invalidate(): void {
    this.isStale = true;
  }
  restyle(isDark: boolean): void {
    this.isDark = isDark;
    this.invalidate();
  }
  private toggleCycles(): void {
    this.isCyclic = !this.isCyclic;
    this.cycles.setAttribute("aria-pressed", String(this.isCyclic));
    this.invalidate();
  }
  private toggleSides(): void {
    this.isPaired = !this.isPaired;
    this.sides.setAttribute("aria-pressed", String(this.isPaired));
    this.invalidate();
  }

  /** Called once for each picture. After a change the curves are gathered; then they are drawn a few milliseconds at a time, so
   * that no picture waits for them. */
  draw(): void {
    const end = performance.now() + 6;
    if (this.isStale && this.area.clientWidth) this.gather();
    while (this.queue.length && performance.now() < end) this.add(this.queue.shift()!);
  }
  private queue: Plot[] = [];

  private get isTaylor(): boolean {
    return this.kind.value === "taylor";
  }

  /** The curves anew in the charts that are there. */
  private redraw(): void {
    const [plot] = this.taylor.plots();
    const [shown] = this.plots;
    if (!plot || !shown || !this.isTaylor) return;
    shown.plot = plot;
    shown.chart.setData([plot.x, ...plot.curves.map((c) => c.values)] as uPlot.AlignedData);
    this.fitTime(shown.chart, plot);
  }

  private gather(): void {
    this.isStale = false;
    const { document, selection } = this.parts;
    const kept = this.parts.comparison.kept.get()?.body ?? null;
    const kinds = graphKinds(document, kept);
    const before = this.wanted || (this.isChosen ? this.kind.value : kinds[0]?.id);
    this.kind.hidden = !kinds.length;
    replace(this.kind, ...kinds.map(({ id, name }) => h("option", { value: id, selected: id === before }, name)));
    if (kinds.some((k) => k.id === this.wanted)) this.wanted = "";
    this.cycles.disabled = (document.capture.get()?.events.length ?? 0) < 3;
    for (const { chart } of this.plots) chart.destroy();
    this.plots = [];
    if (this.isTaylor) {
      this.taylor.open();
      if (this.area.firstChild !== this.taylor.root) replace(this.area, this.taylor.root);
      for (const plot of [...this.area.children].slice(1)) plot.remove();
      this.queue = this.taylor.plots();
      return;
    }
    const plots = plotsOf({ document, kept }, this.kind.value, selection.chosen.get(), { isPaired: this.isPaired, isCyclic: this.isCyclic && !this.cycles.disabled });
    replace(this.area, ...(plots.length ? [] : [h("p", { class: "empty" }, "Curves appear here: choose a marker or a joint, or another kind of graph above.")]));
    this.queue = plots.slice(0, 24);
  }

  private add(plot: Plot): void {
    const legend = plot.curves.filter((curve) => curve.name).map((curve) => h("span", {}, h("i", { style: `background:${curve.color}` }), curve.name));
    const holder = h("div", { class: "plot" }, h("h3", {}, plot.title, ...legend));
    const head = h("div", { class: "playhead" });
    this.area.append(holder);
    const ink = this.isDark ? "#8f99a9" : "#6d7686";
    const grid = this.isDark ? "#2b323f" : "#e8ebf0";
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 }, font: "11px system-ui" };
    const chart = new uPlot({
      width: this.width(), height: this.height(), legend: { show: false }, padding: [8, 10, 0, 0],
      cursor: { y: false, points: { size: 5 }, drag: { x: !plot.isCyclic, y: false, setScale: false }, sync: plot.isCyclic ? undefined : { key: "sinew" } },
      scales: { x: { time: false } },
      axes: [{ ...axis, size: 26, values: (_: uPlot, ticks: number[]) => ticks.map((t) => `${+t.toFixed(2)}${plot.isCyclic ? " %" : ""}`) }, { ...axis, size: 52, values: (_: uPlot, ticks: number[]) => ticks.map((t) => String(+t.toPrecision(4) || 0)), label: plot.unit, labelSize: 16, labelFont: "11px system-ui" }],
      series: [{}, ...plot.curves.map((curve) => ({ stroke: curve.color, width: plot.curves.length > 8 ? 0.8 : 1.4, points: { show: false }, dash: curve.isDashed ? [4, 3] : undefined }))],
      hooks: { draw: [() => this.movePlayheads(this.parts.clock.frame.get())], setSelect: [(u: uPlot) => this.select(u)], setCursor: [(u: uPlot) => this.hover(u, plot)] },
    }, [plot.x, ...plot.curves.map((c) => c.values)] as uPlot.AlignedData, holder);
    chart.over.append(head);
    if (plot.isCyclic) head.hidden = true;
    this.plots.push({ chart, head, plot });
    this.fitTime(chart, plot);
    this.movePlayheads(this.parts.clock.frame.get());
  }

  private width(): number {
    return Math.max(160, this.area.clientWidth - 14);
  }
  private height(): number {
    return innerWidth > 2000 ? 230 : 150;
  }
  private resize(): void {
    for (const { chart } of this.plots) chart.setSize({ width: this.width(), height: this.height() });
    this.movePlayheads(this.parts.clock.frame.get());
    if (!this.plots.length) this.invalidate();
  }

  private hover(chart: uPlot, plot: Plot): void {
    if (plot.isCyclic || chart.cursor.left === undefined || chart.cursor.left! < 0 || !chart.over.matches(":hover")) return;
    this.parts.clock.isPlaying.set(false);
    this.parts.clock.seek(chart.posToVal(chart.cursor.left!, "x") * this.parts.clock.rate);
  }

  private select(chart: uPlot): void {
    const { left, width } = chart.select;
    const { clock } = this.parts;
    const at = (px: number): number => Math.round(chart.posToVal(px, "x") * clock.rate);
    if (width > 4) clock.window.set({ first: Math.max(0, at(left)), last: Math.min(clock.frameCount.get() - 1, at(left + width)) });
    chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  private fitTime(chart: uPlot, plot: Plot): void {
    const { rate, span } = this.parts.clock;
    if (plot.isPart) chart.setScale("x", { min: plot.x[0], max: plot.x[plot.x.length - 1] });
    else if (!plot.isCyclic) chart.setScale("x", { min: span.first / rate, max: Math.max(span.first + 1, span.last) / rate });
  }
  private zoom(): void {
    for (const { chart, plot } of this.plots) this.fitTime(chart, plot);
    this.movePlayheads(this.parts.clock.frame.get());
  }

  private movePlayheads(frame: number): void {
    for (const { chart, head, plot } of this.plots) if (!plot.isCyclic) head.style.transform = `translateX(${chart.valToPos(frame / this.parts.clock.rate, "x")}px)`;
  }

  // ---- saving what is seen ----

  private visible(): Plot[] {
    const { first, last } = this.parts.clock.span;
    const rate = this.parts.clock.rate;
    return this.plots.map(({ plot }) => {
      if (plot.isCyclic) return plot;
      const keep = [...plot.x.keys()].filter((n) => plot.x[n] >= first / rate - 1e-9 && plot.x[n] <= last / rate + 1e-9);
      const cut = (values: ArrayLike<number | null>): (number | null)[] => keep.map((n) => values[n]);
      return { ...plot, x: cut(plot.x) as number[], curves: plot.curves.map((c): Curve => ({ ...c, values: cut(c.values) })) };
    });
  }
  private exportSvg(): void {
    save(plotsSvg(this.visible()), `${this.parts.document.name}-graphs.svg`, "image/svg+xml");
  }
  private exportCsv(): void {
    save(curvesCsv(this.visible()), `${this.parts.document.name}-graphs.csv`, "text/csv");
  }
}
