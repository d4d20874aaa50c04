import type { Message } from '../../model/types.ts'
import type { TruthEvent, UnplacedEvent } from './events.ts'
import { type ToolStep, toolSteps } from './steps.ts'
import { commandOf, editedBy, scriptOf } from './tools.ts'

/**
 * The work as messages show it: edits by tools, commits, reverts, checks. It is careful: after a git command that it does not
 * read (a merge, a stash, a script) the state of every file is unknown, and nothing is asked about it.
 */
export function readEvents(messages: readonly Message[]): TruthEvent[] {
  let staged: Staged = []
  return toolSteps(messages).flatMap((step) => {
    const edited = editedBy(step).map((path): UnplacedEvent => ({ kind: 'edit', path }))
    // Nobody knows which part of a change is staged that goes on after `git add`.
    if (edited.length > 0 && staged.length > 0) staged = 'unknown'
    const ran = commandEvents(step, staged)
    staged = ran.staged
    return [...edited, ...ran.events].map((event) => ({ at: step.message, call: step.id, ...event }) as TruthEvent)
  })
}

/** The paths that the next commit takes. */
type Staged = readonly string[] | 'all' | 'unknown'
type Ran = { readonly events: readonly UnplacedEvent[]; readonly staged: Staged }

function commandEvents(step: ToolStep, staged: Staged): Ran {
  const command = commandOf(step)
  if (command === undefined || step.outcome === 'unknown') return { events: [], staged }
  const ok = step.outcome === 'ok'
  const check: UnplacedEvent[] = CHECK.test(command) && !/[|<>;]/.test(command) ? [{ kind: 'check', command, ok }] : []
  const git = gitIn(scriptOf(step), step.output ?? '', ok, staged)
  return { ...git, events: [...check, ...git.events] }
}

const CHECK =
  /^(?:npm (?:run )?(?:test|build|lint|typecheck|check)|npx (?:vitest|tsc|jest|eslint|biome)|p?npm test|yarn test|pytest|python3? -m (?:pytest|unittest)|go (?:test|build|vet)|cargo (?:test|build|check|clippy)|\.?\/?(?:mvnw?|gradlew?) |make (?:test|check|build))/

function gitIn(script: string, output: string, ok: boolean, before: Staged): Ran {
  const events: UnplacedEvent[] = []
  let staged = before
  const stage = (paths: readonly string[]) => {
    if (Array.isArray(staged)) staged = [...new Set([...staged, ...paths])]
  }
  for (const part of partsIn(script)) {
    const [, verb = '', rest = ''] = /^git (?:-[cC] \S+ )*([a-z][a-z-]*)\s*(.*)$/.exec(part) ?? []
    const words = rest.split(/\s+/)
    const paths = words.filter((word, i) => /^[^-]/.test(word) && !/^-\w*[mFCc]$/.test(words[i - 1] ?? ''))
    const isUnread = verb === '' && CHANGING.test(part)
    if (verb === 'add') {
      if (/^(?:-A|--all|\.)(?: \.)?$/.test(rest)) staged = 'all'
      else if (/[*?$]|^-[up]/.test(rest)) staged = 'unknown'
      else stage(paths)
    } else if (verb === 'mv' && ok && paths.length === 2) {
      const [path = '', to = ''] = paths
      events.push({ kind: 'rename', path, to })
      stage([to])
    } else if (verb === 'commit') {
      const hash = /^\[[^\]\s]+(?: \([^)]*\))? ([0-9a-f]{7,40})\]/m.exec(output)?.[1]
      const isAll = words.some((word) => /^-(?:\w*a\w*|-all)$/.test(word))
      const isKnown = paths.length === 0 && staged.length > 0
      if (hash !== undefined && !words.includes('--amend'))
        events.push({ kind: 'commit', hash, paths: isAll ? 'all' : isKnown ? staged : 'unknown' })
      else if (ok || hash !== undefined) events.push({ kind: 'upheaval' })
      if (ok || hash !== undefined) staged = []
    } else if (ok && ((verb === 'checkout' && words[0] === '--') || (verb === 'restore' && !INDEX.test(rest)))) {
      if (paths.some((path) => /^[.:]\W*$/.test(path))) events.push({ kind: 'upheaval' })
      else events.push(...paths.map((path): UnplacedEvent => ({ kind: 'revert', path })))
    } else if (isUnread || UPHEAVALS.test(verb)) events.push({ kind: 'upheaval' })
    if (staged.length > 0 && (isUnread || UPHEAVALS.test(verb) || verb === 'restore')) staged = 'unknown'
  }
  // Of a chain that failed, or of two ways, nobody knows how far it came.
  const isSure = ok && !script.includes('||')
  const all =
    isSure || events.every(({ kind }) => kind === 'commit') ? events : [...events, { kind: 'upheaval' as const }]
  return { events: all, staged: isSure || staged.length === 0 ? staged : 'unknown' }
}

/** The commands of a script, without texts in quotes and redirections. */
function partsIn(script: string): string[] {
  return script
    .replace(/<<-?\s*['"]?(\w+)['"]?[\s\S]*?^\s*\1$/gm, '')
    .replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, (text) => (/\s/.test(text) ? '-text' : text.slice(1, -1)))
    .replace(/\s*\d?>+(?:&\d|\s*\S+)/g, '')
    .split(/\s*(?:&&|\|\||[;\n|])\s*/)
}

/** Then only the index changes. */
const INDEX = /^(?!.*--worktree).*--staged/
const CHANGING =
  /\bgit\b.*\b(?:add|commit|mv|restore|checkout|switch|stash|merge|rebase|reset|pull|revert|cherry-pick|clean|rm|am|apply)\b/
const UPHEAVALS = /^(?:checkout|switch|stash|merge|rebase|reset|pull|revert|cherry-pick|clean|rm|am|apply)$/
