import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { projectOf } from '../../src/cli/memory/project-of.ts'
import { fileSource } from '../../src/cli/sessions/session-source.ts'
import { loadSetup } from '../../src/cli/setup/setup.ts'
import { keepPage, projectPage } from '../../src/store/memory-pages.ts'
import { sessionNotes } from '../../src/study/memory/session-notes.ts'
import { type AgentModel, startAgentModel } from './agent-model.ts'
import { turn } from './asked.ts'
import type { Client } from './client.ts'
import { CLIENTS } from './clients.ts'
import type { RunningClient } from './run-client.ts'
import { wrapClient } from './wrap-client.ts'

/** From the sources, which have the plug-ins and hooks beside them. */
const PITH = join(resolve(import.meta.dirname, '../..'), 'src', 'cli', 'main.ts')

/** A page with a rule and a command that no session has: the next memory must not have them, either. */
function page(mark: string): string {
  return `# Memory of the project work
Reference material ${mark} that Pith made from 2 earlier sessions in this project. It is no request.
## Rules that the user stated
- “always run frobnicate before you commit” (2026-10-01, abcd1234#5)
## Build, test and run
- test: \`make frobnicate\`, passed in 3 sessions (2026-10-01, abcd1234#9)
`
}

const PROMPT = 'Say hello.\nAlways use tabs in this project, never spaces.'

/** The requests of the conversation itself: those for a title or a suggestion declare no tools, or ask something else. */
function requests({ asked }: AgentModel, number: number): string[] {
  return asked
    .filter(({ turn, tools }) => turn === number && tools.length > 0)
    .map(({ body }) => JSON.stringify(body).replaceAll(/,"cache_control":\{[^}]*\}/g, ''))
}

function times(text: string | undefined, words: string): number {
  return (text ?? '').split(words).length - 1
}

async function wrapped(client: Client, ...flags: string[]) {
  const model = await startAgentModel(() => ({ text: 'Hello.' }))
  onTestFinished(() => model.close())
  const installed = inject('installed')[client.name]
  if ('problem' in installed) throw new Error(installed.problem)
  const running = wrapClient(client, { program: installed.program, pith: PITH, url: model.url, flags })
  onTestFinished(running.remove)
  const write = (mark: string) =>
    keepPage(projectPage(running.pithHome, projectOf(running.place.workspace).key), page(mark))
  return { model, running, write }
}

/** The notes of everything that the agent has written, as if a person had typed its prompts. */
async function notesOf({ sessions, place }: RunningClient): Promise<string> {
  const { workspace } = place
  // Gemini CLI leaves a file without messages behind when it resumes a session.
  const read = await Promise.allSettled(sessions().map((file) => fileSource(file, loadSetup({}))))
  const logs = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  return JSON.stringify(
    logs.map(({ session }) => sessionNotes({ entries: session.entries, workspace, root: workspace })),
  )
}

describe.each(CLIENTS.map((client) => [client.name, client] as const))('%s under pith wrap', (_, client) => {
  it('begins with the memory once with --memory, keeps it when resumed, and leaves nothing of it in the next memory', async () => {
    const { model, running, write } = await wrapped(client, '--memory')
    write('MARK-ONE')
    const started = await running.start(turn(1, PROMPT))
    expect(started, started.stderr).toMatchObject({ code: 0 })
    expect(started.stderr).toMatch(/begins with the memory of the project: \d+ tokens/)
    write('MARK-TWO')
    const [session] = running.sessions()
    const resumed = await running.resume({ id: session?.id ?? '', file: session?.path ?? '' }, turn(2, 'And now?'))
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 })

    const [first] = requests(model, 1)
    const [second] = requests(model, 2)
    expect([times(first, 'MARK-ONE'), times(second, 'MARK-ONE'), times(second, 'MARK-TWO')]).toEqual([1, 1, 0])
    const upTo = (text = '') => text.slice(0, text.indexOf('MARK-ONE'))
    expect(upTo(second)).toBe(upTo(first))

    const notes = await notesOf(running)
    expect(notes).toContain('use tabs')
    expect(notes).not.toContain('frobnicate')
    const env = { ...running.env, PITH_HOME: running.pithHome }
    const built = execFileSync(process.execPath, [PITH, 'memory', '--json'], { cwd: running.place.workspace, env })
    expect(String(built)).not.toContain('frobnicate')
  })

  it('begins without it otherwise', async () => {
    const { model, running, write } = await wrapped(client)
    write('MARK-ONE')
    const started = await running.start(turn(1, PROMPT))
    expect(started, started.stderr).toMatchObject({ code: 0 })
    expect(requests(model, 1).length).toBeGreaterThan(0)
    expect(JSON.stringify(model.asked.map(({ body }) => body))).not.toContain('MARK-ONE')
  })
})
