"""What a notebook shows: a line of words and a picture, as SVG that needs nothing."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

if TYPE_CHECKING:
    from .body import Motion, Pose
    from .measure import Columns
    from .solving import Solution
    from .trial import Trial

_WIDTH, _HEIGHT = 640, 260
_COLOURS = {"green": "#2e7d32", "amber": "#b26a00", "red": "#b3261e"}


def _axes(up: str) -> tuple[int, float]:
    """The lab axis that is up, and its sign."""
    return ("xyz".index(up[-1]) if up else 2), (-1.0 if up.startswith("-") else 1.0)


def _side_view(places: Sequence[np.ndarray], up: str) -> list[np.ndarray]:
    """Places (n, 3) of each moment as pixels: seen along the horizontal axis in which least happens."""
    axis, sign = _axes(up)
    level = [n for n in range(3) if n != axis]
    everything = np.concatenate(places)
    everything = everything[np.isfinite(everything).all(axis=1)]
    if not len(everything):
        return [np.full((len(p), 2), np.nan) for p in places]
    low, high = everything.min(axis=0), everything.max(axis=0)
    across = max(level, key=lambda n: float(high[n] - low[n]))
    flat = [np.stack([p[:, across], sign * p[:, axis]], axis=1) for p in places]
    whole = np.concatenate(flat)
    low2, high2 = np.nanmin(whole, axis=0), np.nanmax(whole, axis=0)
    scale = min((_WIDTH - 40) / max(high2[0] - low2[0], 1e-9), (_HEIGHT - 20) / max(high2[1] - low2[1], 1e-9))
    middle = (low2 + high2) / 2
    return [np.stack([_WIDTH / 2 + scale * (f[:, 0] - middle[0]), _HEIGHT / 2 - scale * (f[:, 1] - middle[1])], axis=1) for f in flat]


def _svg(content: str) -> str:
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img" xmlns="http://www.w3.org/2000/svg">{content}</svg>'


def _line(a: np.ndarray, b: np.ndarray, opacity: float) -> str:
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return ""
    return (f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="currentColor" '
            f'stroke-width="2" stroke-linecap="round" opacity="{opacity:.2f}"/>')


def _dot(a: np.ndarray, opacity: float) -> str:
    return f'<circle cx="{a[0]:.1f}" cy="{a[1]:.1f}" r="2.2" fill="currentColor" opacity="{opacity:.2f}"/>' if np.isfinite(a).all() else ""


def _moments(count: int) -> list[int]:
    return sorted({int(f) for f in np.linspace(0, max(count - 1, 0), 5)}) if count else []


def _opacities(count: int) -> Any:
    return np.linspace(0.35, 1, max(count, 1))


def _bodies_svg(motions: Sequence[Motion]) -> str:
    content = []
    for motion in motions:
        moments = _moments(len(motion))
        if not moments:
            continue
        places = motion.places
        drawn = _side_view([places[f] for f in moments], motion.up)
        for pixels, opacity in zip(drawn, _opacities(len(moments))):
            content += [_line(pixels[p], pixels[n], opacity) for n, p in enumerate(motion.skeleton.parents) if p >= 0]
    return _svg("".join(content))


def trial_html(trial: Trial) -> str:
    """The markers at five moments."""
    moments = _moments(len(trial))
    positions = trial.positions[:, [k in ("marker", "joint centre") for k in trial.kinds]]
    drawn = _side_view([positions[f] for f in moments], trial.up) if moments and trial.markers else []
    dots = "".join(_dot(p, o) for pixels, o in zip(drawn, _opacities(len(moments))) for p in pixels)
    return f"<div><p>{html.escape(repr(trial)[1:-1])}</p>{_svg(dots)}</div>"


def motion_html(motion: Motion) -> str:
    """The body at five moments."""
    return f"<div><p>{html.escape(repr(motion)[1:-1])}</p>{_bodies_svg([motion])}</div>"


def pose_html(pose: Pose) -> str:
    """The body."""
    pixels = _side_view([np.array(pose.places)], "y")[0]
    lines = [_line(pixels[p], pixels[n], 1) for n, p in enumerate(pose.skeleton.parents) if p >= 0]
    return f"<div><p>{html.escape(repr(pose.skeleton)[1:-1])}</p>{_svg(''.join(lines))}</div>"


def solution_html(solution: Solution) -> str:
    """The verdict, what to know, and the bodies at five moments."""
    colour = _COLOURS[solution.verdict]
    told = "".join(f"<li>{html.escape(j.sentence)}</li>" for j in solution.judgements[:5])
    head = f'<p><b style="color:{colour}">{solution.verdict}</b> {html.escape(", ".join(repr(b)[1:-1] for b in solution.bodies))}</p>'
    return f"<div>{head}{_bodies_svg([b.motion for b in solution.bodies])}<ul>{told}</ul></div>"


def columns_html(columns: Columns) -> str:
    """The first six columns over time."""
    lines = []
    names = columns.names[:6]
    shown = np.array(columns.values[:, : len(names)])
    known = shown[np.isfinite(shown)]
    low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
    x = np.linspace(20, _WIDTH - 20, max(len(shown), 2))
    for n, name in enumerate(names):
        y = _HEIGHT - 30 - (shown[:, n] - low) / max(high - low, 1e-9) * (_HEIGHT - 50)
        hue = 55 * n
        for piece in np.split(np.arange(len(y)), np.nonzero(np.diff(np.isfinite(y)))[0] + 1):
            if len(piece) and np.isfinite(y[piece[0]]):
                way = " ".join(f"{x[k]:.1f},{y[k]:.1f}" for k in piece)
                lines.append(f'<polyline points="{way}" fill="none" stroke="hsl({hue} 60% 45%)" stroke-width="1.5"/>')
        lines.append(f'<text x="{20 + 103 * n}" y="{_HEIGHT - 8}" font-size="9" fill="hsl({hue} 60% 40%)">{html.escape(name[:20])}</text>')
    return f"<div><p>{html.escape(repr(columns)[1:-1])}</p>{_svg(''.join(lines))}</div>"
