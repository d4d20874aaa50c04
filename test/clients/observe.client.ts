import { expect, inject, it, onTestFinished } from 'vitest'
import { startAgentModel } from './agent-model.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { gemini } from './agents/gemini.ts'
import { opencode } from './agents/opencode.ts'
import { pi } from './agents/pi.ts'
import { qwenCode } from './agents/qwen-code.ts'
import { turn } from './asked.ts'
import { longWork, TURNS } from './long-work.ts'
import { withOwnTrigger } from './own-trigger.ts'
import { recordedWork } from './recorded-work.ts'
import { wrapClient } from './wrap-client.ts'

it.each([claudeCode, codex, opencode, pi, gemini, copilot, qwenCode].map((client) => [client.name, client] as const))(
  '%s compacts by itself behind a gateway that only observes, and its session stays one',
  async (name, client) => {
    const installed = inject('installed')[name]
    if ('problem' in installed) throw new Error(installed.problem)
    const work = longWork(client, () => running.place.workspace)
    const model = await startAgentModel(work.brain)
    onTestFinished(() => model.close())
    const pith = inject('program')
    const running = wrapClient(withOwnTrigger(client), {
      program: installed.program,
      pith,
      url: model.url,
      mode: 'observe',
    })
    onTestFinished(running.remove)
    for (let number = 1; number <= TURNS; number++) {
      work.turn = number
      const [file] = running.sessions()
      const prompt = turn(number, number === 1 ? 'Count for a while.' : 'Go on.')
      const run = await (file === undefined
        ? running.start(prompt)
        : running.resume({ id: file.id, file: file.path }, prompt))
      expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(`Answer ${number}`) })
    }
    const { compactions, sessions } = await recordedWork(running)
    expect({ compactions, ofPith: work.ofPith }).toEqual({ compactions: 2, ofPith: 0 })
    // qwen-code changes what it has sent before, and so branches with every resume.
    if (client.wrapped.branches === undefined) expect(sessions).toBe(1)
  },
)
