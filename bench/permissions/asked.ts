/**
 * How many of the commands in recorded sessions of agents would be asked about, with the default rules: in `auto-edit` with and
 * without a sandbox, and in `ask`. Then the commands that remove or overwrite something outside of their workspace and would run
 * unasked, which should be none, and the time for hostile text. `node bench/permissions/asked.ts [FOLDER]`; `--list` names all
 * that are asked about.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CommandPlace, decide } from '../../src/agent/permissions/decide.ts'
import { NO_RULES } from '../../src/agent/permissions/rule.ts'
import { decodeText } from '../../src/formats/index.ts'
import { callsOf } from '../../src/model/types.ts'

type Recorded = { readonly command: string; readonly workspace: string; readonly agent: string }

const folder = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? '../shared/transcripts'
const lists = process.argv.includes('--list')
const WALL = { enforces: ({ kind }: { readonly kind: string }) => kind !== 'command', hasNetwork: true }

const commands = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .flatMap(({ parentPath, name }) => commandsIn(join(parentPath, name), parentPath.split('/').at(-1) ?? ''))

console.log(`${commands.length} commands`)
for (const [title, mode, wall] of [
  ['auto-edit with a sandbox', 'auto-edit', WALL],
  ['auto-edit without a sandbox', 'auto-edit', undefined],
  ['ask', 'ask', undefined],
] as const) {
  const asked = commands.filter((each) => kindOf(each, mode, wall) !== 'allow')
  console.log(`${title}: ${asked.length} asked about, ${((100 * asked.length) / commands.length).toFixed(1)} %`)
  if (lists && wall !== undefined)
    for (const { command } of asked) console.log(`  ${JSON.stringify(command).slice(0, 160)}`)
}
const passed = commands.filter((each) => destroysOutside(each) && kindOf(each, 'auto-edit', WALL) === 'allow')
console.log(`remove or overwrite something outside, and are not asked about: ${passed.length}`)
for (const { command, workspace } of passed) console.log(`  ${workspace}: ${JSON.stringify(command).slice(0, 400)}`)

const HOSTILE = [
  ['substitutions', '$('],
  ['words', 'a '],
  ['quotes', "'a'"],
  ['parts of words', 'a=b@c:d,'],
  ['folders', 'cd a; '],
  ['commands', 'git a;'],
  ['slashes', 'a/../'],
  ['escapes', '\\ '],
  ['stars', '*a'],
] as const
const NEVER = [
  { kind: 'command', pattern: 'git push *' },
  { kind: 'read', pattern: '**/.env' },
] as const
for (const size of [9_990, 19_900, 100_000]) {
  const times = HOSTILE.map(([name, piece]) => {
    const command = `cat ${piece.repeat(size / piece.length)}`
    const start = performance.now()
    decide(
      'auto-edit',
      { always: [], never: [...NEVER] },
      { kind: 'command', command },
      { workspace: '/w', home: '/h' },
    )
    decide('auto-edit', NO_RULES, { kind: 'command', command }, { workspace: '/w', home: '/h', wall: WALL })
    return [name, performance.now() - start] as const
  })
  console.log(`${size} characters of hostile text, with never rules and then with a sandbox, ms:`)
  console.log(`  ${times.map(([name, ms]) => `${name} ${ms.toFixed(1)}`).join(', ')}`)
}

function kindOf({ command, workspace }: Recorded, mode: 'ask' | 'auto-edit', wall: CommandPlace['wall']): string {
  return decide(mode, NO_RULES, { kind: 'command', command }, { workspace, home: homeOf(workspace), wall }).kind
}

function homeOf(workspace: string): string {
  return /^\/(?:home|Users)\/[^/]+/.exec(workspace)?.[0] ?? '/root'
}

/** A rough search that knows nothing of our judge: a removing program, and an absolute path that is not in the workspace. */
function destroysOutside({ command, workspace }: Recorded): boolean {
  return command.split(/[;&|\n]+/).some((part) => {
    const [, rest = ''] = /^\s*(?:sudo\s+)?(?:rm|mv|rmdir|shred|truncate|dd|chmod|chown)\s(.*)$/.exec(part) ?? []
    return rest
      .split(/\s+/)
      .some((word) => /^["']?(?:~|\/|\$HOME|\.\.)/.test(word) && !word.replace(/["']/g, '').startsWith(workspace))
  })
}

function commandsIn(path: string, agent: string): Recorded[] {
  const decoded = decodeText(readFileSync(path, 'utf8'))
  if (!decoded.ok) return []
  const { entries, workspace } = decoded.session
  return entries.flatMap((entry) => {
    if (entry.type !== 'message' || entry.message.role !== 'assistant') return []
    return callsOf(entry.message).flatMap(({ input }) => {
      const command = commandOf(input)
      return command === undefined
        ? []
        : [{ command, agent, workspace: workspace ?? folderIn(command) ?? '/workspace' }]
    })
  })
}

function commandOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const { command, cmd } = input as { readonly command?: unknown; readonly cmd?: unknown }
  const found = command ?? cmd
  if (Array.isArray(found)) return found.every((word) => typeof word === 'string') ? found.at(-1) : undefined
  return typeof found === 'string' && found.trim() !== '' ? found : undefined
}

/** Some formats do not say in which folder an agent works, but its commands begin with it. */
function folderIn(command: string): string | undefined {
  return /^cd (\/[\w./-]+) &&/.exec(command)?.[1]
}
