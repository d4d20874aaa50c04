import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRemotePort } from '../../../src/tui/remote/remote-port.ts'
import { listening } from '../../server/support/listening.ts'
import { TOKENS } from '../../server/support/world.ts'
import { type Brain, isSummarising, textOf } from '../../support/model-server/index.ts'
import { home, ready, start } from '../../tui/support/fixture.ts'
import { KEY, type Program } from '../../tui/support/program.ts'

const SECRET = 'sk-live-51Hx9zQw77'
const ASKED = `my key is ${SECRET}, use it for the shop`

/** A model that repeats the secret wherever it can: in its text, in calls, in a to-do list and in the summary. */
const leaks: Brain = (request) => {
  if (isSummarising(request)) return { text: `## Goal\nUse the key ${SECRET} for the shop.\n## Next\nGo on.` }
  const last = request.messages.at(-1)
  const said = last === undefined ? '' : textOf(last)
  if (said.includes('use it for the shop')) {
    const todos = [{ text: `put ${SECRET} into .env`, status: 'pending' }]
    return { text: `I take ${SECRET}.`, calls: [{ name: 'todo', input: { todos } }] }
  }
  if (said.includes('run it')) return { calls: [{ name: 'bash', input: { command: `echo ${SECRET} | tee key.txt` } }] }
  return { text: 'Fine.' }
}

async function talk(program: Program): Promise<void> {
  await program.sees('%')
  await program.send(ASKED)
  await program.sees(/Fine\.[\s\S]*%/)
  await program.send('run it')
  await program.sees('› o  once')
  program.press('o')
  await program.sees(/Fine\.[\s\S]*Fine\.[\s\S]*%/)
  await program.send('/compact')
  await program.sees((screen) => screen.includes('✓ Compacted') && !screen.includes('Compacting'))
  await program.send('/recall shop')
  await program.sees(/#\d+ user\s+my key[\s\S]*shop/)
}

/** Redacts the first message with all that repeats it. */
async function redactAll(program: Program): Promise<void> {
  const first = /#(\d+) \S+\s+.*my key is/.exec(await program.transcript())?.[1]
  await program.send(`/redact #${first}`)
  await program.sees('the same words are there')
  program.press(KEY.down, KEY.down, KEY.enter)
  await program.sees(`#${first} is redacted`)
}

/** Every file of a folder, as bytes. */
function bytesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'))
    .join('\n')
}

describe('/redact', () => {
  it('leaves a secret nowhere: not on the screen, above it, in the list, in the search or in a file', async () => {
    const { at } = await ready(leaks, { policy: { preset: 'agent' } })
    const program = start(at, { columns: 100, rows: 40 })
    await talk(program)
    expect(bytesIn(join(at.workspace, '..', 'pith'))).toContain(SECRET)
    const other = start(at, { open: { kind: 'continue' } })
    await other.sees('my key is')
    await redactAll(program)
    await program.seesNot(/sk-live|my key/)
    expect(await program.transcript()).not.toMatch(/sk-live|my key/)
    expect(await program.status()).toContain('[redacted by the user]')
    // The arrow key brings back what was sent before, without its text.
    program.press(KEY.up)
    await program.sees(/─\s*run it\s*─/)
    program.press(KEY.up)
    await program.sees(/─\s*\[redacted\]\s*─/)
    program.press(KEY.interrupt)
    await program.send(`/recall live-51Hx`)
    await program.sees('Nothing found')
    await program.send('/sessions')
    await program.sees('[redacted by the user]')
    program.press(KEY.escape)
    expect(bytesIn(join(at.workspace, '..', 'pith')).includes(SECRET)).toBe(false)
    // Another process that has the session open shows it again.
    await other.seesNot(/sk-live|my key/)
    expect(await other.transcript()).not.toMatch(/sk-live|my key/)
    await program.quit()
    await other.quit()
    expect(bytesIn(join(at.workspace, '..', 'pith')).includes(SECRET)).toBe(false)
  })

  it('says which messages still repeat the text when only one is redacted', async () => {
    const { at } = await ready(leaks)
    const program = start(at, { columns: 100, rows: 40 })
    await program.sees('%')
    await program.send(ASKED)
    await program.sees(/Fine\.[\s\S]*%/)
    await program.send('/redact')
    await program.sees('Redact which message?')
    program.press(KEY.enter)
    await program.sees('the same words are there')
    program.press(KEY.down, KEY.enter)
    await program.sees(/The same words are still in #\d+/)
    expect(await program.screen()).toContain('is redacted: its text is gone for good')
    expect(await program.transcript()).not.toContain('my key is')
  })

  it('over a server leaves nothing on the screen and in no answer of the server', async () => {
    const at = home()
    const workspaces = { code: { path: at.workspace, permissions: 'ask' } }
    const world = await listening({
      brain: leaks,
      window: 100_000,
      settings: { policy: { preset: 'agent' } },
      server: { workspaces },
    })
    const where = { url: world.url, token: TOKENS[0].token, open: { kind: 'new' as const } }
    const program = start(at, { columns: 100, rows: 40, port: () => openRemotePort(where) })
    await talk(program)
    const { sessions } = (await world.ask('GET', '/v1/sessions')).body
    const id = sessions[0].id
    await world.ask('POST', `/v1/sessions/${id}/fork`, {})
    await redactAll(program)
    await program.seesNot(/sk-live|my key/)
    expect(await program.transcript()).not.toMatch(/sk-live|my key/)
    const all = (await world.ask('GET', '/v1/sessions')).body.sessions.map((session: { id: string }) => session.id)
    expect(all).toHaveLength(2)
    const { compactions } = (await world.ask('GET', `/v1/sessions/${id}/compactions`)).body
    const paths = all.flatMap((each: string) =>
      ['', '/messages?only=all', '/view', '/context', '/context/history', '/compactions', '/export', '/spent'].map(
        (path) => `/v1/sessions/${each}${path}`,
      ),
    )
    const more = [`/v1/sessions/${id}/compactions/${compactions[0].seq}`, `/v1/sessions/${id}/recall?q=live-51Hx`]
    for (const path of [...paths, ...more, '/v1/sessions', '/v1/sessions?q=my%20key']) {
      const answer = await world.ask('GET', path)
      expect([path, answer.status]).toEqual([path, 200])
      const { query: _, ...body } = answer.body
      expect(JSON.stringify(body), path).not.toMatch(/sk-live|51Hx9zQ|my key/)
    }
    expect(JSON.stringify(world.lines)).not.toMatch(/sk-live|my key/)
    expect(bytesIn(join(world.folder, 'data')).includes(SECRET)).toBe(false)
  })
})
