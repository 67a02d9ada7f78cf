// What is compared, how far it differs, beside or over each other; and the blind test with its votes.
import type { Comparison, Layout } from "../compare";
import type { Document } from "../document";
import { h, iconButton, replace, save } from "../dom";

const layouts: [Layout, string][] = [["over", "Over"], ["beside", "Beside"], ["blind", "Blind test"]];

export function addComparison(root: HTMLElement, { document, comparison }: { document: Document; comparison: Comparison }): void {
  const card = h("aside", { class: "compare", "aria-label": "Comparison" });
  const build = (): void => {
    const kept = comparison.kept.get();
    card.remove();
    if (!kept) return;
    const close = iconButton("close", "End the comparison", () => comparison.forget());
    const choose = h("div", { class: "modes", role: "group", "aria-label": "How they are shown" }, ...layouts.map(([layout, text]) => h("button", { type: "button", "aria-pressed": String(layout === kept.layout), onclick: () => comparison.setLayout(layout) }, text)));
    replace(card, ...(kept.layout === "blind" ? blind(comparison) : [h("p", {}, told(document, comparison))]), choose, close);
    root.append(card);
  };
  comparison.kept.watch(build);
  comparison.votes.watch(build);
}

function told(document: Document, comparison: Comparison): string {
  const kept = comparison.kept.get()!;
  const found = comparison.difference();
  if (document.body.get() && found && !found.pairs.length) return `Green: ${kept.title}. No joint has the same name in both.`;
  if (!found || found.most === 0) return `Green: ${kept.title}, kept. Now solve it another way, or open another file.`;
  return `Green: ${kept.title}. ${found.pairs.length} joints differ by ${(1000 * found.mean).toFixed(1)} mm on average, by ${(1000 * found.most).toFixed(0)} mm at most (${found.mostJoint}).`;
}

/** Nothing on the screen tells which is which. */
function blind(comparison: Comparison): HTMLElement[] {
  const count = comparison.votes.get().length;
  const vote = (text: string, chosen: "left" | "right" | "neither"): HTMLElement => h("button", { type: "button", class: "word", onclick: () => comparison.vote(chosen) }, text);
  const result = h("details", { class: "tally" }, h("summary", {}, `${count} vote${count === 1 ? "" : "s"}`),
    h("ul", { class: "notes" }, ...[...comparison.tally()].map(([name, n]) => h("li", {}, name === "neither" ? `not told apart ${n} times` : `${name} taken for the real one ${n} times`))),
    h("button", { type: "button", class: "link", onclick: () => save(comparison.csv(), "blind-test.csv", "text/csv") }, "Save the votes as CSV"));
  return [h("p", {}, h("b", {}, "Which of the two moved like a person?")), h("div", { class: "chips" }, vote("The left one", "left"), vote("The right one", "right"), vote("Cannot tell", "neither")), ...(count ? [result] : [])];
}
