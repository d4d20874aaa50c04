import { execFileSync } from 'node:child_process'
import { expect, inject, it, onTestFinished } from 'vitest'
import { quotedWord } from '../../src/model/text.ts'
import { Tmux } from '../tui/support/tmux.ts'
import { type AgentAnswer, startAgentModel } from './agent-model.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { opencode } from './agents/opencode.ts'
import { type Asked, turn } from './asked.ts'
import type { Client } from './client.ts'
import { withOwnTrigger } from './own-trigger.ts'
import { wrapClient } from './wrap-client.ts'

const PIECES = 6

it.each([claudeCode, codex, opencode].map((client) => [client.name, client] as const))(
  '%s on a terminal ends with its bill, and the status of the gateways keeps it',
  async (name, client) => {
    const installed = inject('installed')[name]
    if ('problem' in installed) throw new Error(installed.problem)
    const model = await startAgentModel(failingOnce(client))
    onTestFinished(() => model.close())
    const pith = inject('program')
    const running = wrapClient(withOwnTrigger(client), { program: installed.program, pith, url: model.url })
    onTestFinished(running.remove)
    const { place, env, program } = running
    const terminal = new Tmux('sh -i', { columns: 300, rows: 50, cwd: place.workspace, env })
    onTestFinished(() => terminal.close())

    const words = [program, ...client.start(turn(1, 'Count for a while.'), place)]
    terminal.type(`${words.map(quotedWord).join(' ')}; echo "left with $?"`)
    terminal.press('Enter')
    // One that starts slowly needs most of the time for itself.
    await expect.poll(() => terminal.all(), { timeout: 240_000, interval: 500 }).toMatch(/^left with \d/m)

    const shown = terminal.all()
    expect(shown).toContain('All is done.')
    expect(shown).toMatch(/^left with 0$/m)
    expect(shown).toMatch(
      /^Pith: \d+ requests, 1 compaction \(1 summary at try 2\), [\d,]+ tokens \([\d,]+ cached\) and \d+ of answers, .*\d+ cache miss/m,
    )
    const status = execFileSync(process.execPath, [pith, 'gateway', 'status'], {
      env: { ...env, PITH_HOME: running.pithHome },
      encoding: 'utf8',
    })
    expect(status).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\d +${client.wrapped.agent} +\\d+ +1 `, 'm'))
  },
)

/** A model that reports a full window until the agent compacts, and is overloaded when it is first asked for the summary. */
function failingOnce({ calls, wrapped }: Client): (asked: Asked) => AgentAnswer {
  let piece = 0
  let tries = 0
  return ({ messages, tools }) => {
    if (messages.at(-1)?.includes('This message is from the program') === true) {
      const text = 'The user wants to count for a while. Each piece prints its number, and the next one follows.'
      return ++tries === 1 ? { text, fault: { fault: 'http', status: 529 } } : { text }
    }
    if (!tools.includes(calls.shell('').name)) return { text: 'A title.' }
    const full = piece >= 2 && tries === 0 ? { tokens: wrapped.compacts.tokens } : {}
    if (piece === PIECES) return { text: 'All is done.', ...full }
    piece++
    return { text: `Piece ${piece}.`, calls: [calls.shell(`echo ${piece}; seq ${piece} 300`)], ...full }
  }
}
