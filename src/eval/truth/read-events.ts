import type { Message } from '../../model/types.ts'
import type { TruthEvent, UnplacedEvent } from './events.ts'
import { type ToolStep, toolSteps } from './steps.ts'
import { commandOf, editedBy } from './tools.ts'

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
  const git = gitIn(command.split(/\s*(?:&&|;)\s*/), step.output ?? '', ok, staged)
  return { ...git, events: [...check, ...git.events] }
}

const CHECK =
  /^(?:npm (?:run )?(?:test|build|lint|typecheck|check)|npx (?:vitest|tsc|jest|eslint|biome)|p?npm test|yarn test|pytest|python3? -m (?:pytest|unittest)|go (?:test|build|vet)|cargo (?:test|build|check|clippy)|\.?\/?(?:mvnw?|gradlew?) |make (?:test|check|build))/

function gitIn(parts: readonly string[], output: string, ok: boolean, before: Staged): Ran {
  const events: UnplacedEvent[] = []
  let staged = before
  const stage = (paths: readonly string[]) => {
    if (Array.isArray(staged)) staged = [...new Set([...staged, ...paths])]
  }
  for (const part of parts) {
    const [, verb = '', rest = ''] = /^git (?:-[cC] \S+ )*([a-z-]+)\s*(.*)$/.exec(part) ?? []
    const paths = rest.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-'))
    if (verb === 'add') {
      if (/^(?:-A|--all|\.)$/.test(rest)) staged = 'all'
      else if (/[*?$]|^-[up]/.test(rest)) staged = 'unknown'
      else stage(paths)
    } else if (verb === 'mv' && ok && paths.length === 2) {
      const [path = '', to = ''] = paths
      events.push({ kind: 'rename', path, to })
      stage([to])
    } else if (verb === 'commit') {
      const hash = /^\[[^\]\s]+(?: \([^)]*\))? ([0-9a-f]{7,40})\]/m.exec(output)?.[1]
      const isAll = /^(?:-a|-am|--all|-qam|-aqm)\b/.test(rest)
      if (hash !== undefined && !/--amend/.test(rest))
        events.push({ kind: 'commit', hash, paths: isAll ? 'all' : staged.length === 0 ? 'unknown' : staged })
      else if (ok || hash !== undefined) events.push({ kind: 'upheaval' })
      if (ok || hash !== undefined) staged = []
    } else if (ok && ((verb === 'checkout' && rest.startsWith('-- ')) || (verb === 'restore' && !INDEX.test(rest)))) {
      events.push(...paths.map((path): UnplacedEvent => ({ kind: 'revert', path })))
    } else if (UPHEAVALS.test(verb)) events.push({ kind: 'upheaval' })
    if (staged.length > 0 && (UPHEAVALS.test(verb) || verb === 'restore')) staged = 'unknown'
  }
  // Of a chain that failed nobody knows how far it came.
  return { events, staged: ok || staged.length === 0 ? staged : 'unknown' }
}

/** Then only the index changes. */
const INDEX = /^(?!.*--worktree).*--staged/
const UPHEAVALS = /^(?:checkout|switch|stash|merge|rebase|reset|pull|revert|cherry-pick|clean|rm|am|apply)$/
