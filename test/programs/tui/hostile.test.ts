import { describe, expect, it } from 'vitest'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'
import { ready, start } from '../../tui/support/fixture.ts'

const HOSTILE = '\x1b]52;c;cm0gLXJm\x07\x1b[2J\u061c\u202e\u009d0;title\u009c\x05'

describe('the terminal', () => {
  it('shows hostile texts as text: of the model, of files, of sessions and of errors', async () => {
    const steps = [
      { text: `I look. ${HOSTILE}`, calls: [{ name: 'ls', input: { path: HOSTILE } }] },
      calling(HOSTILE, { path: HOSTILE }),
    ]
    const { at } = await ready(scriptedBrain({ steps }))
    at.file(`${HOSTILE}.txt`, HOSTILE)
    await at.session([{ type: 'message', message: { role: 'user', content: HOSTILE } }])
    const store = await at.store()
    await store.createSession({ owner: 'local', workspace: `${at.workspace}/${HOSTILE}`, title: HOSTILE })
    await store.close()
    const program = start(at)
    await program.sees('pith-test')
    await program.send('Look around')
    await program.sees('Done.')
    expect(await program.transcript()).toMatch(/I look\.\s+\\u001b\]52;c;/)
    await program.send('/sessions')
    await program.sees(/\\u001b\]52;c;[\s\S]*\n[\s\S]*a session/)
    const { written } = program.terminal
    for (const raw of ['\x1b]52', '\u061c', '\u202e', '\u009d', '\x05']) expect(written.includes(raw), raw).toBe(false)
  })
})
