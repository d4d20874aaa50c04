import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { UnaskedLimits } from '../../config/read/read-unasked.ts'
import type { FixedFile, FixedFiles } from './fixed-parts.ts'
import { type NestedInstructions, nestedInstructions } from './nested-instructions.ts'

export type FixedPlaces = {
  readonly workspace: string
  /** The folder where the user started: files of instructions on the way to it count too. */
  readonly startedIn?: string
  /** The user's configuration folder: what is there holds in every workspace. */
  readonly userFolder: string
  /** Whether instructions are read at all. */
  readonly instructions: boolean
  /** False for a file of the workspace that a never rule keeps from being read. */
  readonly mayRead?: UnaskedLimits['mayRead']
}

/** Where instructions and facts come from: the user's own files, then those of the workspace. */
export function fixedFiles(places: FixedPlaces): FixedFiles {
  const { workspace, startedIn = workspace, userFolder, instructions, mayRead } = places
  const limits = { inside: workspace, mayRead }
  const nested = instructions ? nestedInstructions(workspace, startedIn) : NO_NESTED
  const onTheWay = nested.onTheWay.map((name): FixedFile => ({ path: join(workspace, name), name, limits }))
  return {
    instructions: instructions
      ? [instructionsIn(userFolder, 'the user’s AGENTS.md'), { ...instructionsIn(workspace), limits }, ...onTheWay]
      : [],
    elsewhere: nested.elsewhere.filter((name) => mayRead?.(join(workspace, name)) !== false),
    memory: [
      { path: join(userFolder, 'MEMORY.md'), name: 'the user’s MEMORY.md' },
      { path: join(workspace, 'MEMORY.md'), name: 'MEMORY.md', limits },
    ],
  }
}

const NO_NESTED: NestedInstructions = { onTheWay: [], elsewhere: [] }

/** `AGENTS.md`; where there is none, `CLAUDE.md`, which says the same to another agent. */
function instructionsIn(folder: string, name?: string): FixedFile {
  const file =
    !existsSync(join(folder, 'AGENTS.md')) && existsSync(join(folder, 'CLAUDE.md')) ? 'CLAUDE.md' : 'AGENTS.md'
  return { path: join(folder, file), name: name ?? file }
}
