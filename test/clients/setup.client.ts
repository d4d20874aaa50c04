import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
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
  readonly told: RegExp
  /** The arguments that make it tell its servers, where its requests do not. */
  readonly list?: readonly string[]
}

const CLIENTS: readonly SetUpClient[] = [
  // A server that has not answered yet is only named.
  { client: claudeCode, name: 'claude', file: '.claude.json', told: /mcp__pith__recall|shortly:[\\n]+pith/ },
  { client: codex, name: 'codex', file: '.codex/config.toml', told: /^pith /m, list: ['mcp', 'list'] },
  { client: opencode, name: 'opencode', file: '.config/opencode/opencode.json', told: /"recall"/ },
  { client: pi, name: 'pi', file: '.pi/agent/settings.json', told: /"recall"/ },
  { client: gemini, name: 'gemini', file: '.gemini/extensions/pith/gemini-extension.json', told: /mcp_pith_recall/ },
  { client: copilot, name: 'copilot', file: '.copilot/mcp-config.json', told: /pith-recall/ },
  { client: qwenCode, name: 'qwen', file: '.qwen/settings.json', told: /mcp__pith__recall/ },
]

/** The sources have the plug-ins beside them; the program as it ships starts faster. */
function programFor(name: string): string {
  return name === 'pi' || name === 'opencode'
    ? resolve(import.meta.dirname, '../../src/cli/main.ts')
    : inject('program')
}

function setUp({ env, place }: RunningClient, client: Client, args: readonly string[]): void {
  const installed = inject('installed')[client.name]
  const bin = 'program' in installed ? dirname(installed.program) : ''
  const own = { ...env, PATH: [bin, env.PATH].join(delimiter), PITH_HOME: join(place.home, 'pith') }
  execFileSync(process.execPath, [programFor(args[0] ?? ''), 'setup', ...args, '--yes'], { env: own, stdio: 'pipe' })
}

describe.each(CLIENTS.map((each) => [each.client.name, each] as const))(
  '%s',
  (_, { client, name, file, told, list }) => {
    it('has recall after pith setup, and nothing of it after --remove, also where the agent wrote the file anew', async () => {
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
      expect(await said(1)).toMatch(told)
      setUp(running, client, [name, '--remove'])
      expect(await said(2)).not.toMatch(told)
    })
  },
)
