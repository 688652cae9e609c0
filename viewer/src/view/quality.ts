// How much is drawn: what the machine can, or what the link asks for.

import { sample_moments, type Playable } from "../run/playable";
import { RunView } from "./run_view";
import { Stage, drawn_by_software } from "./stage";
import type { Detail } from "./strands";

const BY_SOFTWARE: Detail = { most_parts: 90_000, thin: true };
const BY_HARDWARE: Detail = { most_parts: 500_000, thin: false };
const MANY_POINTS = 12_000; // without a graphics card too many for smooth edges

export interface Quality {
  high: boolean; // at any cost
  ratio?: number; // pixels of the picture for each of the page
}

export function make_stage(canvas: HTMLCanvasElement, runs: Playable[], quality: Quality): Stage {
  const software = drawn_by_software();
  const points = runs.reduce((sum, run) => sum + run.model.points + run.model.vertices, 0);
  const ratio = quality.ratio ?? (software ? 1 : Math.min(devicePixelRatio, 2));
  return new Stage(canvas, software, quality.high || !software || points < MANY_POINTS, ratio);
}

export function make_view(run: Playable, stage: Stage, quality: Quality): RunView {
  const detail = stage.software && !quality.high ? BY_SOFTWARE : BY_HARDWARE;
  return new RunView(run.model, sample_moments(run), (index) => run.frame(index), detail);
}
