import { isAbsolute, joinPath } from '../../engine/extract/calls/paths.ts'
import type { AnsweredCall } from '../../engine/extract/item-facts.ts'
import { outputText } from '../../model/types.ts'

/** A file that a search or a listing named, and how much that says: one of hundreds says little. */
export type LookedUpFile = { readonly path: string; readonly weight: number }

/**
 * The files that a call found by looking: `rg`, `find`, `git status` and the tools for the same. Only names at the start of a line
 * count, as these programs print them; the rest of a line is the text of a file.
 */
export function lookedUpFiles({ call, result }: AnsweredCall): readonly LookedUpFile[] {
  const { command, folder } = shellInput(call.input)
  if (command === undefined ? !LOOKING_TOOL.test(call.toolName) : !LOOKING_COMMAND.test(command)) return NONE
  const found = new Set<string>()
  for (const line of outputText(result.output).slice(0, MOST_CHARACTERS).split('\n')) {
    const path = LISTED.exec(line)?.[1]?.replace(/^\.\//, '')
    if (path === undefined || GENERATED.test(path)) continue
    if (isAbsolute(path)) found.add(path)
    // `ls` prints names without their folder, and after a `cd` nobody knows which one it is.
    else if (command === undefined || (!ELSEWHERE.test(command) && (path.includes('/') || !/\bls\b/.test(command))))
      found.add(joinPath(folder, path))
  }
  const weight = Math.min(1, FEW / found.size)
  return [...found].map((path) => ({ path, weight }))
}

const NONE: readonly LookedUpFile[] = []
const MOST_CHARACTERS = 60_000
/** A listing of this many files is one that somebody chose. */
const FEW = 12

function shellInput(input: unknown): { readonly command?: string; readonly folder: string } {
  const { command, cmd, workdir, cwd } = (input ?? {}) as Readonly<Record<string, unknown>>
  const given = command ?? cmd
  const line = Array.isArray(given) ? given.join(' ') : typeof given === 'string' ? given : undefined
  const folder = [workdir, cwd].find((one) => typeof one === 'string') ?? ''
  return { folder, ...(line === undefined ? {} : { command: line }) }
}

const LOOKING_TOOL = /^(?:grep|glob|search|list|ls|find|rg|search_file_content|grep_search|file_search|list_dir\w*)$/i
const LOOKING_COMMAND =
  /(?:^|[|;&(]\s*|\s)(?:rg|grep|fd|find|ls|tree|git (?:-C \S+ )?(?:ls-files|status|diff|show|log|grep))\b/
const ELSEWHERE = /(?:^|[;&(|\s])(?:cd|pushd)\s|\s-C\s|--git-dir/
const GENERATED =
  /(?:^|\/)(?:\.git|\.pith|node_modules|dist|build|out|target|coverage|tmp|temp|logs|__pycache__|\.venv|venv|\.next|\.cache)\/|\.(?:log|tmp|pyc|map)$/
const LISTED =
  /^(?:\s*(?:[MADRCU?!]{1,2}|modified:|new file:|renamed:)\s+|\s)?((?:\/|\.\/)?[\w@.][\w@.+-]*(?:\/[\w@.+()[\]$-]+)*\.\w{1,8})(?:[:-]\d+[:-]|:\d+$|:|\s+\|\s+\d+|\s*$)/
