import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it, onTestFinished } from 'vitest'
import { program } from '../../../src/cli/program.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Ended } from '../../support/cli.ts'
import { type RunWorld, runWorld } from '../../support/run-world.ts'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'

/** Writes to the clipboard, clears the screen, turns the direction, sets a title by C1 alone, answers, conceals. */
const HOSTILE = '\x1b]52;c;cm0gLXJm\x07\x1b[2J\u061c\u202e\u2066\u200f\u009d0;title\u009c\u009b5n\x05\x7f\x1b[8m'
const DANGEROUS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/

/** The arguments typed for each command: a session, a name, a folder or an argument that is hostile. */
const TYPED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  run: [
    ['run', '--model', 'local/main', 'Do it.'],
    ['run', '--json', '--model', 'local/main', 'Do it.'],
    ['run', '--model', HOSTILE, 'x'],
    ['run', '--session', HOSTILE, 'x'],
  ],
  sessions: [['sessions'], ['sessions', '--json'], ['sessions', '--limit', HOSTILE]],
  inspect: [
    ['inspect', 'FILE'],
    ['inspect', 'FILE', '--json'],
    ['inspect', 'BROKEN'],
    ['inspect', HOSTILE],
  ],
  compact: [
    ['compact', 'FILE', '--offline'],
    ['compact', 'FILE', '--offline', '--json'],
    ['compact', HOSTILE],
  ],
  handoff: [
    ['handoff', 'FILE', '--to', 'claude-code', '--offline'],
    ['handoff', 'FILE', '--to', HOSTILE],
  ],
  replay: [
    ['replay', 'FILE'],
    ['replay', 'FILE', '--json'],
    ['replay', HOSTILE],
  ],
  diff: [
    ['diff', 'FILE'],
    ['diff', 'FILE', '--json'],
    ['diff', HOSTILE],
  ],
  memory: [['memory'], ['memory', '--json']],
  'memory pin': [['memory', 'pin', HOSTILE]],
  'memory forget': [['memory', 'forget', HOSTILE]],
  'memory edit': [['memory', 'edit']],
  'memory export': [['memory', 'export']],
  'memory update': [['memory', 'update']],
  'memory start': [['memory', 'start', '--for', HOSTILE]],
  'memory on': [['memory', 'on']],
  'memory off': [['memory', 'off']],
  recall: [
    ['recall', 'upload'],
    ['recall', 'upload', '--json'],
    ['recall', '-s', 'ID', '#1-#3'],
    ['recall', HOSTILE],
    ['recall', '-s', HOSTILE, '#1'],
  ],
  import: [
    ['import', 'FILE'],
    ['import', 'FILE', '--json'],
    ['import', 'BROKEN'],
    ['import', HOSTILE],
  ],
  export: [
    ['export', 'FILE', '--to', 'markdown'],
    ['export', 'FILE', '--to', 'claude-code'],
    ['export', 'FILE', '--out', `${HOSTILE}.md`],
    ['export', HOSTILE],
  ],
  config: [['config'], ['config', '--json'], ['config', HOSTILE]],
  'config get': [
    ['config', 'get', 'policy'],
    ['config', 'get', HOSTILE],
  ],
  'config path': [['config', 'path']],
  'config set': [
    ['config', 'set', 'theme', HOSTILE],
    ['config', 'set', HOSTILE, 'x'],
  ],
  'config unset': [['config', 'unset', HOSTILE]],
  'config trust': [
    ['config', 'trust', HOSTILE],
    ['config', 'trust'],
  ],
  'config untrust': [['config', 'untrust', HOSTILE]],
  models: [
    ['models', HOSTILE],
    ['models', 'local'],
  ],
  serve: [
    ['serve', '--port', HOSTILE],
    ['serve', '--host', HOSTILE, '--port', '0'],
  ],
  'serve link': [
    ['serve', 'link', HOSTILE],
    ['serve', 'link', '--token', HOSTILE],
    ['serve', 'link', '--url', HOSTILE],
    ['serve', 'link', '--end', HOSTILE],
  ],
  'serve token': [['serve', 'token', HOSTILE]],
  'serve token add': [['serve', 'token', 'add', HOSTILE]],
  'serve token change': [['serve', 'token', 'change', HOSTILE]],
  'serve token list': [['serve', 'token', 'list']],
  'serve token remove': [['serve', 'token', 'remove', HOSTILE]],
  store: [['store', HOSTILE]],
  'store forget-index': [['store', 'forget-index', HOSTILE]],
  'store check': [
    ['store', 'check'],
    ['store', 'check', HOSTILE],
    ['store', 'check', 'BROKEN'],
  ],
  'store delete': [['store', 'delete', '--older-than', HOSTILE]],
  'store backup': [
    ['store', 'backup', `${HOSTILE}.db`],
    ['store', 'backup', `no/${HOSTILE}/x.db`],
  ],
  'store salvage': [
    ['store', 'salvage', `${HOSTILE}-2.db`],
    ['store', 'salvage', 'x.db', '--from', HOSTILE],
    ['store', 'salvage', 'y.db', '--from', 'BROKEN'],
  ],
  setup: [['setup', HOSTILE], ['setup']],
  uninstall: [
    ['uninstall', HOSTILE],
    ['uninstall', '--dry-run'],
  ],
  wrap: [['wrap', HOSTILE]],
  'wrap-gateway': [['wrap-gateway', HOSTILE]],
  gateway: [
    ['gateway', '--port', HOSTILE],
    ['gateway', '--upstream', HOSTILE],
  ],
  'gateway status': [
    ['gateway', 'status', HOSTILE],
    ['gateway', 'status'],
  ],
  mcp: [['mcp', HOSTILE, HOSTILE]],
  acp: [['acp', '--agent', HOSTILE]],
  eval: [
    ['eval', '--compactor', HOSTILE, '--made', '1', '--rounds', '1', '--no-baselines'],
    ['eval', HOSTILE],
  ],
  'eval readers': [['eval', 'readers', HOSTILE]],
}

/** Examples in comments aside. */
const WRITES = /^(?! *\*).*(?:process\.std(?:out|err)\.write\(|console\.(?:log|error|warn)\()/m
const WRITERS = [
  'cli/output/show.ts',
  // An old Node cannot load more than this line.
  'cli/main.ts',
  // The rest of the single executable is not unpacked yet.
  'cli/executable/start.ts',
  // An agent reads it, as JSON.
  'plugins/hooks/hook.ts',
  // The log of a server: JSON with every control character escaped.
  'server/observe/watch-requests.ts',
  // A warning of the library in a program of its user, in our own words.
  'adapters/ai-sdk/context/context-options.ts',
  'adapters/shared/list-keeper.ts',
  'fit/compact-messages.ts',
  // The line after the screen is gone, made safe like the screen's.
  'tui/app/run-terminal.ts',
]

describe('what a command prints', () => {
  it('has a row here for every command of the program', () => {
    expect(Object.keys(TYPED).toSorted()).toEqual(namesOf(program()).toSorted())
  })

  it('on a terminal has no control character, whatever a session, a file, a folder or an error has', async () => {
    const world = await hostileWorld()
    asTerminal()
    for (const typed of Object.values(TYPED).flat()) {
      const { stdout, stderr } = await run(world, typed)
      expect(stdout + stderr, typed.join(' ')).not.toBe('')
      expect(
        (stdout + stderr).match(DANGEROUS)?.[0],
        `${JSON.stringify(typed)}: ${JSON.stringify(stdout + stderr)}`,
      ).toBeUndefined()
    }
  })

  it('goes through the one place that makes it safe', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    const writers = files.filter((file) => WRITES.test(readFileSync(join('src', file), 'utf8')))
    expect(writers.toSorted()).toEqual(WRITERS.toSorted())
  })

  it('is safe when the configuration is what is wrong', async () => {
    const { world } = await hostileWorld()
    world.project(`policy: { ${JSON.stringify(HOSTILE)}: 1 }`)
    const { stderr, code } = await world.here('sessions')
    expect(stderr).toContain('unknown key `\\u001b]52')
    expect({ code, isSafe: !DANGEROUS.test(stderr) }).toEqual({ code: 1, isSafe: true })
  })

  it('in colours has these alone', async () => {
    const world = await hostileWorld({})
    asTerminal()
    let colours = 0
    for (const typed of [TYPED.sessions, TYPED.inspect, TYPED.compact, TYPED.diff, TYPED.config].flatMap(
      (rows) => rows ?? [],
    )) {
      const { stdout, stderr } = await run(world, typed)
      const plain = (stdout + stderr).replace(/\x1b\[(?:1|2|22|3[1-6]|39)m/g, () => String(colours++ * 0))
      expect(DANGEROUS.test(plain), `${typed.join(' ')}: ${JSON.stringify(plain)}`).toBe(false)
    }
    expect(colours).toBeGreaterThan(10)
  })

  it('for a program is exact if it is an export, and JSON with every control character escaped', async () => {
    const world = await hostileWorld()
    const { stdout: markdown } = await run(world, ['export', 'FILE', '--to', 'markdown'])
    expect(markdown).toContain(HOSTILE)
    for (const typed of Object.values(TYPED)
      .flat()
      .filter((row) => row.includes('--json') && !row.includes('run'))) {
      const { stdout, stderr } = await run(world, typed)
      // The line about what an untrusted project sets is for people, beside what the program reads.
      expect(stderr.replace(/^Set by .*\n/, ''), typed.join(' ')).toBe('')
      expect(DANGEROUS.test(stdout + stderr), typed.join(' ')).toBe(false)
      JSON.parse(stdout)
    }
    const { stdout } = await run(world, ['recall', '-s', 'ID', '#1', '--json'])
    expect(JSON.parse(stdout)[0].message.content).toContain(HOSTILE)
  })
})

type HostileWorld = { readonly world: RunWorld; readonly id: string }

/** A user whose session, its title, its folder, its files and its errors are hostile. */
async function hostileWorld(env: NodeJS.ProcessEnv = { NO_COLOR: '1' }): Promise<HostileWorld> {
  const steps = [
    { text: `I look. ${HOSTILE}`, calls: [{ name: 'ls', input: { path: HOSTILE } }] },
    calling(HOSTILE, { [HOSTILE]: HOSTILE }),
  ]
  const world = await runWorld({ brain: scriptedBrain({ steps }) })
  Object.assign(world.env, { CLAUDE_CONFIG_DIR: join(world.home, '.claude'), COLUMNS: '120', ...env })
  const lines = claudeLines(join(world.workspace, HOSTILE))
  writeFileSync(join(world.workspace, `${HOSTILE}.jsonl`), lines)
  writeFileSync(join(world.workspace, `${HOSTILE}-broken.jsonl`), `{"type":"user","${HOSTILE}`)
  const places = join(world.home, '.claude', 'projects', '-work')
  mkdirSync(places, { recursive: true })
  writeFileSync(join(places, '7f9a3c52-0c11-4d4e-9b52-0f6f4d1f1a11.jsonl'), lines)
  world.project(`model: ${JSON.stringify(HOSTILE)}`)
  const store = await openStore(join(world.env.PITH_HOME ?? '', 'pith.db'))
  const { id } = await store.createSession({
    owner: 'local',
    workspace: join(world.workspace, HOSTILE),
    title: HOSTILE,
  })
  await store.append(id, [
    { type: 'message', message: { role: 'user', content: `Mend the upload ${HOSTILE}` } },
    { type: 'message', message: { role: 'assistant', content: `It is mended ${HOSTILE}` } },
    { type: 'message', message: { role: 'user', content: 'Thanks' } },
  ])
  await store.close()
  return { world, id }
}

function claudeLines(cwd: string): string {
  const user = (content: unknown, n: number) => ({ type: 'user', message: { role: 'user', content }, ...base(cwd, n) })
  const agent = (content: unknown, n: number) => ({
    type: 'assistant',
    message: {
      id: `m${n}`,
      type: 'message',
      role: 'assistant',
      model: `claude-${HOSTILE}`,
      content,
      usage: { input_tokens: 10, output_tokens: 5 },
    },
    ...base(cwd, n),
  })
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: `cat ${HOSTILE}`, description: HOSTILE } }
  const edit = {
    type: 'tool_use',
    id: 't2',
    name: 'Edit',
    input: { file_path: `/w/${HOSTILE}.ts`, old_string: 'a', new_string: HOSTILE },
  }
  return [
    { type: 'summary', summary: HOSTILE, leafUuid: 'u1' },
    user(`Mend the upload. ${HOSTILE}`, 1),
    agent([{ type: 'text', text: `I look. ${HOSTILE}` }, call], 2),
    user([{ type: 'tool_result', tool_use_id: 't1', content: `Error: ${HOSTILE}`, is_error: true }], 3),
    agent([edit], 4),
    user([{ type: 'tool_result', tool_use_id: 't2', content: HOSTILE }], 5),
    { ...agent([{ type: 'text', text: `Done ${HOSTILE}` }], 6), uuid: 'a6' },
    {
      type: 'system',
      subtype: 'compact_boundary',
      content: HOSTILE,
      logicalParentUuid: 'a6',
      ...base(cwd, 1),
      uuid: 'b1',
    },
    { ...user(`They mended the upload. ${HOSTILE}`, 1), isCompactSummary: true, uuid: 'u6', parentUuid: 'b1' },
    user(`Thanks. ${HOSTILE}`, 7),
    agent([{ type: 'text', text: `Bye ${HOSTILE}` }], 8),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

function base(cwd: string, n: number) {
  return {
    uuid: `u${n}`,
    parentUuid: n === 1 ? null : `u${n - 1}`,
    sessionId: '7f9a3c52-0c11-4d4e-9b52-0f6f4d1f1a11',
    timestamp: `2026-01-01T00:00:0${n}.000Z`,
    cwd,
    version: '2.0.0',
    gitBranch: HOSTILE,
    isSidechain: false,
    userType: 'external',
  }
}

async function run({ world, id }: HostileWorld, typed: readonly string[]): Promise<Ended> {
  const names: Readonly<Record<string, string>> = {
    FILE: `${HOSTILE}.jsonl`,
    BROKEN: `${HOSTILE}-broken.jsonl`,
    ID: id,
  }
  const { stdout, stderr, code } = await world.here(...typed.map((word) => names[word] ?? word))
  // The line that shows progress clears itself.
  return { stdout, stderr: stderr.replaceAll('\r\x1b[K', ''), code }
}

/** Standard output and error are a wide terminal, until the test has ended. */
function asTerminal(): void {
  for (const stream of [process.stdout, process.stderr])
    for (const [name, value] of Object.entries({
      isTTY: true,
      columns: 140,
      getColorDepth: () => (process.env.NO_COLOR === undefined ? 8 : 1),
    })) {
      const before = Object.getOwnPropertyDescriptor(stream, name)
      Object.defineProperty(stream, name, { value, configurable: true, writable: true })
      onTestFinished(() => {
        if (before === undefined) Reflect.deleteProperty(stream, name)
        else Object.defineProperty(stream, name, before)
      })
    }
}

function namesOf(command: Command, prefix = ''): string[] {
  return command.commands.flatMap((each) => {
    const name = `${prefix}${each.name()}`
    return [name, ...namesOf(each, `${name} `)]
  })
}
