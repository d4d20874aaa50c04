import type { WindowGuess } from '../../engine/report/window-guess.ts'
import type { Entry, ModelInfo, Origin } from '../../model/types.ts'
import { modelNamed, type Registry } from '../../models/registry.ts'
import { lastModel, originIn } from './origin.ts'

/** The model that a session is measured with: of its last answer, or chosen since. Its window may be a guess. */
export type OwnModel = {
  readonly name?: string
  readonly info: Partial<ModelInfo>
  readonly guess?: WindowGuess
}

/** The model of a session, with the window that its agent worked with. It need not be a model that can be called here. */
export function ownModel(
  log: readonly Entry[],
  registry: Registry,
  origin: Origin | undefined = originIn(log),
): OwnModel {
  const name = lastModel(log) ?? origin?.model
  const info = modelNamed(registry, name)
  if (origin?.window === undefined || name !== origin.model) return { name, info }
  return { name, info: withWindow(info, origin.window), guess: origin.guess }
}

function withWindow(info: Partial<ModelInfo>, contextWindow: number): Partial<ModelInfo> {
  if (contextWindow === info.contextWindow) return info
  const { maxInput: _, ...rest } = info
  return { ...rest, contextWindow }
}
