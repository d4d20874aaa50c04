import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { reader } from '../adapters/ai-sdk/world.ts'
import { npm, offline, type Packed, pack } from './packed.ts'

/** The examples as a user has them: from the tarball, each alone in a folder. Those of the frameworks are run by the test of the adapters. */
const why = offline()
const run = promisify(execFile)
const FILES = ['', 'state'].flatMap((folder) =>
  readdirSync(join('examples', folder))
    .filter((file) => /\.(ts|sh)$/.test(file))
    .map((file) => join(folder, file)),
)

describe.runIf(why === undefined)('an example of the tarball, alone in a folder', () => {
  let packed: Packed
  let project: string
  beforeAll(() => {
    packed = pack()
    project = join(packed.folder, 'examples')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "private": true }')
    npm(['install', packed.tarball, 'ai@7', '@ai-sdk/openai-compatible@3', 'zod@4', 'openai'], project)
  })
  afterAll(() => rmSync(packed.folder, { recursive: true, force: true }))

  const output = async (file: string, env: Record<string, string>) => {
    const folder = join(project, basename(file, '.ts'))
    mkdirSync(folder)
    copyFileSync(join(project, 'node_modules', 'pith', 'examples', file), join(folder, basename(file)))
    const command = file.endsWith('.sh') ? 'bash' : process.execPath
    return run(command, [basename(file)], { cwd: folder, env: { ...process.env, ...env, NO_COLOR: '1' } })
  }

  it.each(FILES)('%s runs', async (file) => {
    const server = await reader(4, { window: 200_000 })
    const { stdout } = await output(file, { MODEL_URL: server.baseUrl('chat'), MODEL: 'pith-test' })
    expect(stdout.trim()).not.toBe('')
  })

  it('frameworks/openai-loop.mjs runs on the package openai, and stays inside the window', async () => {
    const { url, largest } = await chatServer(40)
    const { stdout } = await output(join('frameworks', 'openai-loop.mjs'), { MODEL_URL: url, MODEL: 'scripted' })
    expect(stdout).toMatch(/: \d+ → \d+ tokens/)
    expect(stdout).toContain('82 messages: All pages are read.')
    expect(largest()).toBeLessThan(12_000)
  })
})

/** Chat Completions in one piece: a model that reads that many pages, and counts what it was sent. */
async function chatServer(pages: number): Promise<{ url: string; largest: () => number }> {
  let page = 0
  let largest = 0
  const next = () => {
    if (page === pages) return { content: 'All pages are read.' }
    page++
    const call = { name: 'read', arguments: JSON.stringify({ path: `page-${page}.txt` }) }
    return { content: null, tool_calls: [{ id: `c${page}`, type: 'function', function: call }] }
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const tokens = Math.ceil(body.length / 4)
    const isSummary = JSON.parse(body).tools === undefined
    if (!isSummary) largest = Math.max(largest, tokens)
    const said = isSummary ? { content: '## Goal\nTo read page-1.txt and all that follow.' } : next()
    const message = { role: 'assistant', refusal: null, ...said }
    const finish_reason = 'tool_calls' in said ? 'tool_calls' : 'stop'
    const usage = { prompt_tokens: tokens, completion_tokens: 20 }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason }], usage }))
  })
  await new Promise<void>((done) => server.listen(0, done))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://localhost:${port}/v1`, largest: () => largest }
}
