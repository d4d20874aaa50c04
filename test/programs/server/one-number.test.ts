import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FIXTURES, fixture } from '../../formats/fixture.ts'
import { type Json, type ServerWorld, serverWorld } from '../../server/support/world.ts'
import { pith } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'

const FILES = readdirSync(FIXTURES)

describe.each(FILES)('the session %s', (name) => {
  it('has one number in inspect, after an import, over HTTP and in the web inspector', async () => {
    const folders = configFolders()
    const shown = await inspected(folders, join(FIXTURES, name))
    const stored = await inspected(folders, await imported(folders, join(FIXTURES, name)))
    // A session that names no folder is imported into the one that `pith import` runs in.
    expect(facts(stored)).toEqual({ ...facts(shown), workspace: shown.session.workspace ?? folders.workspace })
    expect(await served(await serverWorld({ allModels: true }), fixture(name))).toEqual(facts(shown))
  })
})

describe('an imported session', () => {
  const headers = { 'content-type': 'application/x-ndjson' }

  it('is measured by its own model although the server cannot call it, also in a fork from the middle', async () => {
    const { ask } = await serverWorld({ allModels: true })
    const { session } = (await ask('POST', '/v1/sessions/import', fixture('claude-code.jsonl'), { headers })).body
    expect(session).toMatchObject({ model: 'anthropic/claude-opus-4-6', status: { window: 200_000, assumed: true } })
    expect(session.no_model).toBeUndefined()
    const fork = (await ask('POST', `/v1/sessions/${session.id}/fork`, { seq: 2 })).body
    expect(fork).toMatchObject({ model: session.model, status: { window: 200_000, assumed: true } })
  })

  it('continues with the model of the server, and is measured by that one from then on', async () => {
    const { ask } = await serverWorld({ allModels: true })
    const { session } = (await ask('POST', '/v1/sessions/import', fixture('gemini.json'), { headers })).body
    const turn = await ask('POST', `/v1/sessions/${session.id}/turn`, { text: 'And now?' })
    expect(turn.body.end).toMatchObject({ reason: 'done' })
    expect((await ask('GET', `/v1/sessions/${session.id}`)).body).toMatchObject({ model: 'local/pith-test' })
  })
})

type Folders = ReturnType<typeof configFolders>

async function inspected(folders: Folders, what: string): Promise<Json> {
  return JSON.parse((await pith(folders, ['inspect', what, '--json'])).stdout)
}

async function imported(folders: Folders, file: string): Promise<string> {
  return JSON.parse((await pith(folders, ['import', file, '--json'])).stdout).id
}

/** Everything that `pith inspect` has in common with the web inspector. */
function facts({ status, parts, files, session, compactions }: Json) {
  return {
    status,
    parts: Object.fromEntries(parts.map(({ name, tokens }: Json) => [name, tokens])),
    files: files.map(({ path }: Json) => path).sort(),
    workspace: session.workspace ?? '',
    compactions,
  }
}

/** The same as the web inspector gets it: all its numbers of one session. */
async function served({ ask }: ServerWorld, text: string) {
  const { body } = await ask('POST', '/v1/sessions/import', text, {
    headers: { 'content-type': 'application/x-ndjson' },
  })
  const { id, workspace, files, compactions, status } = body.session
  const context = (await ask('GET', `/v1/sessions/${id}/context`)).body
  const listed = (await ask('GET', `/v1/statuses?sessions=${id}`)).body.statuses[0]
  const history = (await ask('GET', `/v1/sessions/${id}/context/history`)).body
  expect(context.status).toEqual(status)
  expect(listed.status).toEqual(status)
  expect(history.points.at(-1)).toMatchObject({ tokens: status.tokens, parts: context.parts })
  expect(history.window).toEqual(status.window)
  return {
    status,
    parts: context.parts,
    files: files.map(({ path }: Json) => path).sort(),
    workspace,
    compactions,
  }
}
