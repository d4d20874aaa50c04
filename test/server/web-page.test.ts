import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { expect, it, onTestFinished } from 'vitest'
import type { RequestEnv } from '../../src/server/http/http-error.ts'
import { webPage } from '../../src/server/web-page.ts'

/** The answers of a page that consists of these files. */
function page(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const app = new Hono<RequestEnv>()
  webPage(app, folder)
  return async (path: string, encoding?: string) => {
    const headers: Record<string, string> = encoding === undefined ? {} : { 'accept-encoding': encoding }
    const answer = await app.request(path, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const packed = answer.headers.get('content-encoding')
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      cache: answer.headers.get('cache-control'),
      vary: answer.headers.get('vary'),
      packed,
      text: (packed === 'gzip' ? gunzipSync(bytes) : bytes).toString(),
    }
  }
}

it.each([
  ['index.html', 'text/html; charset=utf-8', true],
  ['a.js', 'text/javascript; charset=utf-8', true],
  ['a.css', 'text/css; charset=utf-8', true],
  ['a.svg', 'image/svg+xml', true],
  ['a.bin', 'application/octet-stream', false],
])('%s is served as %s; only text is packed', async (name, type, isText) => {
  const get = page({ [name]: 'content' })
  const plain = { status: 200, type, cache: 'no-cache', vary: 'accept-encoding', packed: null, text: 'content' }
  expect(await get(`/${name}`)).toEqual(plain)
  expect(await get(`/${name}`, 'br')).toEqual(plain)
  expect(await get(`/${name}`, 'br, gzip')).toEqual({ ...plain, packed: isText ? 'gzip' : null })
})

it('a built asset is cached for good, the HTML page that names it is not', async () => {
  const get = page({ 'index.html': 'the page', 'assets/a-1.js': 'one', 'other/assets/a.js': 'two' })
  expect(await get('/')).toMatchObject({ text: 'the page', cache: 'no-cache' })
  expect(await get('/index.html')).toMatchObject({ text: 'the page', cache: 'no-cache' })
  expect(await get('/assets/a-1.js')).toMatchObject({ text: 'one', cache: 'public, max-age=31536000, immutable' })
  expect(await get('/other/assets/a.js')).toMatchObject({ text: 'two', cache: 'no-cache' })
  expect((await get('/assets')).status).toBe(404)
})
