import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { turn } from './asked.ts'
import { clientWorld } from './client-world.ts'
import { CLIENTS } from './clients.ts'
import { sentProblems } from './sent-problems.ts'

describe.each(CLIENTS.map((client) => [client.name, client] as const))('%s', (name, client) => {
  it('installs and starts', () => {
    expect(inject('installed')[name]).toHaveProperty('version')
  })

  it('works with tools, and sends its whole session when it is resumed', async () => {
    const { model, place } = await clientWorld(({ turn: number, results, tools }) => {
      const { shell, write } = client.calls
      const steps = [write(join(running.place.workspace, 'a.txt'), 'hello'), shell('cat missing.txt')]
      const next = number === 1 && tools.length > 0 ? steps[results] : undefined
      return next === undefined ? { text: `Answer ${number}.` } : { text: `Step ${results}.`, calls: [next] }
    })
    const running = place(client)
    const started = await running.start(turn(1, 'Write a.txt and look at missing.txt.'))
    expect(started, started.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer 1.') })
    const [file] = running.sessions()
    const resumed = await running.resume({ id: file?.id ?? '', file: file?.path ?? '' }, turn(2, 'And now?'))
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer 2.') })
    const last = model.asked.findLast((asked) => asked.turn === 2)?.messages.join('\n')
    expect(sentProblems(client, model.asked)).toEqual([])
    for (const words of ['Write a.txt and look', 'No such file or directory', 'Answer 1.', 'And now?'])
      expect(last).toContain(words)
  })
})
