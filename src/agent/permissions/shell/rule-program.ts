import type { Word } from '../../../engine/extract/shell/shell-lexer.ts'
import { RUNS_NOTHING } from './command-kinds.ts'
import { pathShape, processPath } from './path-shape.ts'
import type { ScriptPlace } from './read-script.ts'
import type { ShellWord } from './shell-word.ts'
import { canMeet, exactText, literal, type TextShape, wildcardShape } from './text-shape.ts'

/** A program that a pattern names by its path: `./deploy.sh`, `scripts/*.sh`, `~/bin/deploy`. */
export type RuleProgram = {
  readonly path: TextShape
  /** The same behind other names of the workspace: links may lead to it. */
  readonly linked: TextShape | undefined
  readonly name: string
}

/** The path that the first word of a pattern means, seen from the workspace; undefined for a bare name. */
export function ruleProgram({ text }: Word, { workspace }: ScriptPlace): RuleProgram | undefined {
  if (!text.includes('/')) return undefined
  const inside = text.startsWith(`${workspace}/`) ? text.slice(workspace.length + 1) : text
  const linkedFolder: TextShape = [{ hole: 'any' }, { text: `/${workspace.split('/').at(-1)}` }]
  return {
    path: pathShape(literal(workspace), wildcardShape(text)),
    linked: inside.startsWith('/') ? undefined : pathShape(linkedFolder, wildcardShape(inside)),
    name: text.slice(text.lastIndexOf('/') + 1),
  }
}

/** Whether a command is this program. A bare name may be it too: the search path may lead there. */
export function isProgram(
  program: RuleProgram,
  { shapes, text }: ShellWord,
  folders: readonly TextShape[],
): 'yes' | 'maybe' | undefined {
  const isBare = text !== undefined && !text.includes('/')
  if (isBare)
    return !RUNS_NOTHING.has(text) && canMeet(wildcardShape(program.name), literal(text)) ? 'maybe' : undefined
  if (!shapes.some((shape) => namesProgram(program, shape, folders))) return undefined
  return text === undefined || folders.length > 1 ? 'maybe' : 'yes'
}

/** Whether a path seen from one of these folders is that of the program. */
export function namesProgram(
  { path, linked }: RuleProgram,
  written: TextShape,
  folders: readonly TextShape[],
): boolean {
  const shape = processPath(written) ?? written
  const seen = folders.map((folder) => pathShape(folder, shape))
  const isAbsolute = exactText(shape)?.startsWith('/') === true
  return seen.some((one) => canMeet(path, one) || (isAbsolute && linked !== undefined && canMeet(linked, one)))
}
