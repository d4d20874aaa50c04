import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { bundleClaudeCode } from '../../scripts/bundle-plugins.mjs'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { gemini } from './agents/gemini.ts'
import { opencode } from './agents/opencode.ts'
import { pi } from './agents/pi.ts'
import { qwenCode } from './agents/qwen-code.ts'
import { turn } from './asked.ts'
import type { Client } from './client.ts'
import { clientWorld } from './client-world.ts'
import type { RunningClient } from './run-client.ts'

/** The name that `pith setup` takes, the file that it changes, and what a request then says of `recall`. */
type SetUpClient = {
  readonly client: Client
  readonly name: string
  readonly file: string
  readonly mention: RegExp
  /** The arguments that make it list its servers, if its requests do not. */
  readonly list?: readonly string[]
}

const CLIENTS: readonly SetUpClient[] = [
  // A server that has not answered yet is only named.
  { client: claudeCode, name: 'claude', file: '.claude.json', mention: /mcp__pith__recall|shortly:[\\n]+pith/ },
  { client: codex, name: 'codex', file: '.codex/config.toml', mention: /^pith /m, list: ['mcp', 'list'] },
  { client: opencode, name: 'opencode', file: '.config/opencode/opencode.json', mention: /"recall"/ },
  { client: pi, name: 'pi', file: '.pi/agent/settings.json', mention: /"recall"/ },
  { client: gemini, name: 'gemini', file: '.gemini/extensions/pith/gemini-extension.json', mention: /mcp_pith_recall/ },
  { client: copilot, name: 'copilot', file: '.copilot/mcp-config.json', mention: /pith-recall/ },
  { client: qwenCode, name: 'qwen', file: '.qwen/settings.json', mention: /mcp__pith__recall/ },
]

/** Codex runs hooks that its user has trusted; this is its flag for those who cannot be asked. */
const trusting: Client = {
  ...codex,
  setUp: (at) => ({ ...codex.setUp(at), PITH_HOME: join(at.home, 'pith') }),
  start: (prompt, at) => ['--dangerously-bypass-hook-trust', ...codex.start(prompt, at)],
}

/** The sources have the plug-ins beside them; the program as it ships starts faster. */
function programFor(name: string): string {
  return name === 'pi' || name === 'opencode' ? join(ROOT, 'src', 'cli', 'main.ts') : inject('program')
}

/** Pith in a folder of its own, as it can be uninstalled: with the plug-ins, and the hooks that the build makes. */
async function installation(): Promise<{ folder: string; program: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'pith-installed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['src', 'package.json']) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await bundleClaudeCode(join(folder, 'dist', 'plugins', 'claude-code'))
  return { folder, program: join(folder, 'src', 'cli', 'main.ts') }
}

const ROOT = resolve(import.meta.dirname, '../..')

function setUp(
  { env, place }: RunningClient,
  client: Client,
  args: readonly string[],
  program = programFor(args[0] ?? ''),
): void {
  const installed = inject('installed')[client.name]
  const bin = 'program' in installed ? dirname(installed.program) : ''
  const own = { ...env, PATH: [bin, env.PATH].join(delimiter), PITH_HOME: join(place.home, 'pith') }
  execFileSync(process.execPath, [program, 'setup', ...args, '--yes'], { env: own, stdio: 'pipe' })
}

describe.each(CLIENTS.map((each) => [each.client.name, each] as const))(
  '%s',
  (_, { client, name, file, mention, list }) => {
    it('has recall after pith setup, and no trace of it after --remove, even if the agent wrote the file again', async () => {
      const { model, place } = await clientWorld(() => ({ text: 'Answer.' }))
      const running = place(client)
      const path = join(running.place.home, file)
      const text = () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
      const before = text()
      setUp(running, client, [name])
      expect(text()).not.toBe(before)
      setUp(running, client, [name, '--remove'])
      expect(text()).toBe(before)
      const said = async (number: number) => {
        if (list !== undefined) return (await running.run(list)).stdout
        const ran = await running.start(turn(number, 'Hello.'))
        expect(ran, ran.stderr).toMatchObject({ code: 0 })
        return JSON.stringify(model.asked.filter((asked) => asked.turn === number).map(({ body }) => body))
      }
      setUp(running, client, [name])
      expect(await said(1)).toMatch(mention)
      setUp(running, client, [name, '--remove'])
      expect(await said(2)).not.toMatch(mention)
    })

    it('works as before if Pith is uninstalled without --remove', async () => {
      const { model, place } = await clientWorld(({ isSummary }) => ({
        text: isSummary ? '<summary>We said hello.</summary>' : 'Answer.',
      }))
      const running = place(client === codex ? trusting : client)
      const { folder, program } = await installation()
      setUp(running, client, [name], program)
      expect(readFileSync(join(running.place.home, file), 'utf8')).toContain(folder)
      rmSync(folder, { recursive: true })

      const ran = await running.start(turn(1, 'Hello.'))
      expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer.') })
      const [session] = running.sessions()
      const { prompt = turn(2, 'And now?') } = 'prompt' in client.compacts ? client.compacts : {}
      const resumed = await running.resume({ id: session?.id ?? '', file: session?.path ?? '' }, prompt)
      expect(resumed, resumed.stderr).toMatchObject({ code: 0 })
      expect(model.asked.some(({ turn: number, isSummary }) => number === 2 || isSummary)).toBe(true)
    })
  },
)

it('codex asks its model for what Pith wants to know, and has what the summary forgot in the very next request', async () => {
  await bundleClaudeCode(join(dirname(inject('program')), '..', 'plugins', 'claude-code'))
  let isFull = false
  const { model, place } = await clientWorld(({ turn: number = 0, results, messages }) => {
    if (messages.at(-1)?.includes('is about to be compacted')) return { text: 'The record.' }
    if (number !== 1 || results >= 3) return { text: `Answer ${number}.` }
    const tokens = results === 1 && !isFull && 'tokens' in codex.compacts ? codex.compacts.tokens : undefined
    isFull ||= tokens !== undefined
    const { shell } = codex.calls
    return { text: '', calls: [shell(`seq ${results} 900 > heron${results}.txt; cat heron${results}.txt`)], tokens }
  })
  const running = place(trusting, 'window' in codex.compacts ? { window: codex.compacts.window } : {})
  setUp(running, codex, ['codex'])
  const ran = await running.start(turn(1, 'Print a lot.'))
  expect(ran, ran.stderr).toMatchObject({ code: 0 })
  const asked = model.asked
    .map(({ messages }) => messages.at(-1) ?? '')
    .find((last) => last.includes('about to be compacted'))
  expect(asked).toContain('Name every file that was changed')
  const at = model.asked.findIndex(({ messages }) => messages.at(-1)?.includes('about to be compacted'))
  const [next, ...later] = model.asked.slice(at + 1).map(({ messages }) => messages.join('\n'))
  expect(next).toContain('The record.')
  expect(next).toContain('Pith compared the summary above')
  expect(next).toMatch(/Changed files: heron0\.txt \(#\d+\), heron1\.txt/)
  expect(later.at(-1)?.split('Pith compared the summary above')).toHaveLength(2)
  setUp(running, codex, ['codex', '--remove'])
  expect(existsSync(join(running.place.home, '.codex/hooks.json'))).toBe(false)
})

it('Claude Code runs Pith’s hooks after pith setup: the summary is asked for more, and what it forgot is added', async () => {
  await bundleClaudeCode(join(dirname(inject('program')), '..', 'plugins', 'claude-code'))
  const { model, place } = await clientWorld(({ turn: number, tools, results, isSummary }) => {
    if (isSummary) return { text: '<analysis>Birds.</analysis><summary>We worked on birds.</summary>' }
    const { write } = claudeCode.calls
    if (number === 1 && tools.length > 0 && results < 1)
      return { text: 'Step.', calls: [write(join(running.place.workspace, 'heron.txt'), 'x')] }
    return { text: 'Answer.' }
  })
  // The hooks of a session keep what they know in Pith's folder, as the server does.
  const running = place({
    ...claudeCode,
    setUp: (at) => ({ ...claudeCode.setUp(at), PITH_HOME: join(at.home, 'pith') }),
  })
  const session = () => ({ id: running.sessions()[0]?.id ?? '', file: running.sessions()[0]?.path ?? '' })
  setUp(running, claudeCode, ['claude'])
  await running.start(turn(1, 'Write about the heron of the lake.\nNever push anything.'))
  await running.resume(session(), turn(2, 'Go on with the reeds.'))
  await running.resume(session(), '/compact')
  await running.resume(session(), turn(3, 'And now?'))
  expect(model.asked.find(({ isSummary }) => isSummary)?.messages.at(-1)).toContain('Name every file that was changed')
  const next = model.asked.find((asked) => asked.turn === 3)?.messages.join('\n')
  expect(next).toContain('Pith compared the summary above')
  expect(next).toContain('heron.txt')
  setUp(running, claudeCode, ['claude', '--remove'])
  expect(readFileSync(join(running.place.home, '.claude.json'), 'utf8')).not.toContain('"pith"')
})
