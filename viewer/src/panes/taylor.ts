// Taylor terms of one coordinate over a part of the motion, each with a slider (after Knight 2005, 8.4): what every term adds is seen by
// taking it away or doubling it.
import type { Clock } from "../clock";
import type { Document } from "../document";
import { h, replace } from "../dom";
import type { Plot } from "../graph_data";
import type { AngleTable, TaylorTerms } from "../protocol";

/** Seconds around the present where no part is chosen. */
const aroundNow = 1;
const orderMost = 12;

export class TaylorPane {
  readonly root = h("div", { class: "taylor" });
  private readonly column = h("select", { "aria-label": "Coordinate" });
  private readonly order = h("input", { type: "number", min: "0", max: String(orderMost), value: "5", "aria-label": "Order", class: "order" });
  private readonly sliders = h("div", { class: "terms" });
  private readonly told = h("p", { class: "hint" });
  private table: AngleTable | null = null;
  private terms: TaylorTerms | null = null;
  private factor: number[] = [];
  private part = { first: 0, last: 0 };
  private asked = 0;
  private isAsked = false;

  constructor(private readonly parts: { document: Document; clock: Clock }, private readonly changed: (isNew: boolean) => void) {
    this.column.addEventListener("change", () => void this.fit());
    this.order.addEventListener("change", () => void this.fit());
    replace(this.root, h("div", { class: "taylor-bar" }, this.column, h("label", {}, "order ", this.order)), this.sliders, this.told);
  }

  /** For the body that is shown now. */
  open(): void {
    const table = this.parts.document.body.get()?.angles[0] ?? null;
    if (table !== this.table) {
      this.table = table;
      this.terms = null;
      this.isAsked = false;
      replace(this.column, ...(table?.name ?? []).map((name, n) => h("option", { value: String(n) }, name.replace(/_/g, " "))));
    }
    const part = this.wanted();
    if (table && (!this.isAsked || part.first !== this.part.first || part.last !== this.part.last)) void this.fit();
  }

  /** The part that is played, where one is chosen, else what is near the present. */
  private wanted(): { first: number; last: number } {
    const { clock } = this.parts;
    if (clock.window.get()) return clock.span;
    if (this.isAsked) return this.part;
    const half = Math.round((aroundNow / 2) * clock.rate);
    const last = clock.frameCount.get() - 1;
    const middle = Math.min(Math.max(clock.frame.get(), half), Math.max(half, last - half));
    return { first: Math.max(0, middle - half), last: Math.min(last, middle + half) };
  }

  private async fit(): Promise<void> {
    const { document, clock } = this.parts;
    const table = this.table;
    if (!table) return;
    const asked = ++this.asked;
    this.part = this.wanted();
    this.isAsked = true;
    const { first, last } = this.part;
    const at = Number(this.column.value || 0) * (table.values.length / table.name.length);
    const order = Math.min(orderMost, Math.max(0, Math.round(Number(this.order.value)) || 0));
    const all = Array.from({ length: last - first + 1 }, (_, n) => [(first + n) / clock.rate, table.values[at + first + n]]).filter(([, value]) => Number.isFinite(value));
    const terms = await document.taylor(Float64Array.from(all, ([time]) => time), Float64Array.from(all, ([, value]) => value), order).catch((error: Error) => error.message);
    if (asked !== this.asked) return;
    this.terms = typeof terms === "string" ? null : terms;
    this.factor = this.terms ? Array.from(this.terms.coefficient, () => 1) : [];
    this.told.textContent = typeof terms === "string" ? terms : `${(first / clock.rate).toFixed(2)} to ${(last / clock.rate).toFixed(2)} s, off by at most ${+terms.error.toPrecision(3)}. Choose a part below, in the line or in the graph.`;
    this.list();
    this.changed(true);
  }

  private list(): void {
    const { terms } = this;
    replace(this.sliders, ...Array.from(terms?.coefficient ?? [], (value, k) => {
      const told = h("output", {}, String(+value.toPrecision(4)));
      const input = h("input", { type: "range", min: "0", max: "2", step: "0.02", value: "1", "aria-label": `Term ${k}`, oninput: () => {
        this.factor[k] = Number(input.value);
        told.textContent = String(+(value * this.factor[k]).toPrecision(4));
        this.changed(false);
      } });
      return h("label", {}, h("span", {}, k === 0 ? "1" : k === 1 ? "t" : `t${[...String(k)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`), input, told);
    }));
  }

  /** The coordinate, and its terms summed as the sliders stand. */
  plots(): Plot[] {
    const { table, terms } = this;
    if (!table || !terms) return [];
    const { clock } = this.parts;
    const { first, last } = this.part;
    const column = Number(this.column.value || 0);
    const at = column * (table.values.length / table.name.length);
    const x = Array.from({ length: last - first + 1 }, (_, n) => (first + n) / clock.rate);
    const measured = x.map((_, n) => (Number.isFinite(table.values[at + first + n]) ? table.values[at + first + n] : null));
    const summed = x.map((time) => terms.coefficient.reduceRight((sum, value, k) => sum * (time - terms.center) + value * this.factor[k], 0));
    return [{ title: table.name[column].replace(/_/g, " "), unit: "", x, isPart: true, curves: [{ name: "motion", color: "#3d7dd8", values: measured }, { name: "terms", color: "#e0772a", values: summed }] }];
  }
}
