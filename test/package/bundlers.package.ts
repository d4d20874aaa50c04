import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { listening } from '../server/support/listening.ts'
import { TOKENS } from '../server/support/world.ts'
import { BROWSER_BUNDLERS } from './browser-bundlers.ts'
import { pageModule, RAN, readmeModule, workerModule } from './bundler-program.ts'
import { BUNDLERS } from './bundlers.ts'
import { clientProgram } from './client-program.ts'
import { inBrowser } from './in-browser.ts'
import { npm, offline, type Packed, pack } from './packed.ts'

const why = offline()
const model = new LLMock({ port: 0 })
let packed: Packed

beforeAll(async () => {
  model.onMessage(/./, { content: 'Hi there!' })
  await model.start()
  packed = pack()
})
afterAll(async () => {
  await model.stop()
  rmSync(packed.folder, { recursive: true, force: true })
})

const MAIN = `import { run } from './program.js'
console.log(JSON.stringify(await run()))
`

describe.runIf(why === undefined)("the README's program, bundled", () => {
  it.for(BUNDLERS)('by $name runs apart from its packages', async (bundler, context) => {
    const project = projectWith([...bundler.packages, 'ai@7', '@ai-sdk/openai@4'], context)
    put(project, { 'program.js': readmeModule(), 'main.js': MAIN, ...bundler.files })
    const built = await command(bundler.build, project, project)
    expect(built, said(built)).toMatchObject({ status: 0 })

    const away = mkdtempSync(join(packed.folder, 'away-'))
    cpSync(join(project, 'out'), join(away, 'out'), { recursive: true })
    put(away, { 'package.json': '{ "type": "module" }' })
    const ran = await command(bundler.run, away, project)
    expect(ran, said(ran)).toMatchObject({ status: 0 })
    expectRan(JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? ''))
  })

  it('by Next, as a route of its server', async (context) => {
    const project = projectWith(['next@16', 'react@19', 'react-dom@19', 'ai@7', '@ai-sdk/openai@4'], context)
    put(project, {
      'program.js': readmeModule(),
      'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>\n',
      'app/api/route.js': `import { run } from '../../program.js'
export const dynamic = 'force-dynamic'
export const GET = async () => Response.json(await run())
`,
    })
    const built = await command(['next', 'build'], project, project)
    expect(built, said(built)).toMatchObject({ status: 0 })
    const response = await fetch(`${await nextServer(project)}/api`)
    const body = await response.text()
    expect({ status: response.status, body }).toEqual({ status: 200, body: expect.stringContaining('{') })
    expectRan(JSON.parse(body))
  })
})

describe.runIf(why === undefined)('a program with fit', () => {
  it.for(['pith', 'pith/engine'] as const)('of %s runs in a worker without any part of Node', async (part, context) => {
    expect(await inWorkerd({ 'worker.js': workerModule(part) }, context)).toEqual({ fits: true, smaller: true })
  })

  it.for(BROWSER_BUNDLERS)('bundled for browsers by $name runs without any part of Node', async (bundler, context) => {
    const project = projectWith(bundler.packages, context)
    put(project, { 'page.js': pageModule(), ...bundler.files })
    const built = await command(bundler.build, project, project)
    expect(built, said(built)).toMatchObject({ status: 0 })
    const script = readFileSync(join(project, 'out', 'page.js'), 'utf8')
    expect(await inBrowser(script, 'ran')).toEqual({ fits: true, smaller: true, redacts: true })
  })
})

describe.runIf(why === undefined)("the docs' program with the client", () => {
  it('runs in a worker without any part of Node', async (context) => {
    const { url } = await listening()
    const program = clientProgram({ url, token: TOKENS[0].token })
    const shown = await inWorkerd({ 'program.ts': program, 'worker.js': CLIENT_WORKER }, context)
    expect(shown).toEqual([expect.any(Number), 'settings', 404, 'unknown-session'])
  })
})

// A worker may ask a server only while it answers a request.
const CLIENT_WORKER = `export default { fetch: async () => Response.json((await import('./program.ts')).said) }
`

const IN_WORKERD = `import { Miniflare } from 'miniflare'
const worker = new Miniflare({ modules: true, scriptPath: 'out/worker.js', compatibilityDate: '2026-01-01', cf: false })
try {
  console.log(await (await worker.dispatchFetch('http://localhost/')).text())
} finally {
  await worker.dispose()
}
`

/** The answer of a bundled worker in Cloudflare's runtime. */
async function inWorkerd(files: Readonly<Record<string, string>>, context: TestContext): Promise<unknown> {
  const project = projectWith(['esbuild@0.28', 'miniflare@4'], context)
  put(project, { ...files, 'main.js': IN_WORKERD })
  const built = await command(
    ['esbuild', 'worker.js', '--bundle', '--format=esm', '--platform=neutral', '--outfile=out/worker.js'],
    project,
    project,
  )
  expect(built, said(built)).toMatchObject({ status: 0 })
  const ran = await command(['node', 'main.js'], project, project)
  expect(ran, said(ran)).toMatchObject({ status: 0 })
  return JSON.parse(ran.stdout)
}

function expectRan({ after, ...rest }: { after: number }): void {
  expect(rest).toEqual(RAN)
  expect(after).toBeLessThan(80_000)
}

/** An empty project with Pith and these packages; a tool that cannot be installed here skips its test and says why. */
function projectWith(packages: readonly string[], context: TestContext): string {
  const project = mkdtempSync(join(packed.folder, 'project-'))
  put(project, { 'package.json': '{ "type": "module", "private": true }' })
  try {
    npm(['install', packed.tarball, ...packages], project)
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error)
    console.warn(`${packages[0]} cannot be installed here: ${reason}`)
    context.skip(reason)
  }
  return project
}

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

type Ended = { readonly status: number | string; readonly stdout: string; readonly stderr: string }

/** Runs a command of a project's packages in a folder, against the local model, which answers meanwhile. */
function command([file = '', ...args]: readonly string[], cwd: string, project: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env: environment(project), timeout: 300_000 }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : (error.code ?? error.message), stdout, stderr }),
    )
  })
}

function environment(project: string): NodeJS.ProcessEnv {
  const PATH = [join(project, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  const ours = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${model.url}/v1`, NEXT_TELEMETRY_DISABLED: '1' }
  // Vitest's own would make a development build of some.
  const { NODE_ENV: _, ...rest } = process.env
  return { ...rest, ...ours, PATH }
}

function said({ stdout, stderr }: Ended): string {
  return `${stdout}\n${stderr}`.slice(-4_000)
}

/** The address of Next's production server, once it listens. */
async function nextServer(project: string): Promise<string> {
  const server = spawn('next', ['start', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: project,
    env: environment(project),
    detached: true,
  })
  onTestFinished(() => {
    if (server.pid !== undefined) process.kill(-server.pid)
  })
  let output = ''
  for await (const piece of server.stdout) {
    output += String(piece)
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]
    if (port !== undefined && output.includes('Ready')) return `http://127.0.0.1:${port}`
  }
  throw new Error(`next start ended: ${output}`)
}
