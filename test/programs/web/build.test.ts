import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'pith-built-'))
const root = resolve(import.meta.dirname, '../../..')
const sources = join(root, 'web')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the built page', () => {
  execFileSync(process.execPath, [join(root, 'scripts', 'build-web.mjs'), folder], { stdio: 'pipe' })
  const files = filesIn(folder).map((file) => ({ file, text: readFileSync(file, 'utf8') }))

  it('is loaded in less than 200 KB, compressed', () => {
    const bytes = files.reduce((sum, { text }) => sum + gzipSync(text).length, 0)
    expect(bytes).toBeLessThan(200 * 1024)
  })

  it('has types of the HTTP API only, none of its schemas', () => {
    for (const { file, text } of files) expect(text, file).not.toMatch(/zod|hono\b/i)
  })

  it('has no inline script and no inline style', () => {
    const html = files.find(({ file }) => file.endsWith('index.html'))?.text ?? ''
    expect(html).toMatch(/<script type="module"[^>]* src="[^"]+"><\/script>/)
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=/)
  })

  it('names no other host', () => {
    for (const { file, text } of files) {
      const hosts = text.match(/https?:\/\/[\w.-]+/g) ?? []
      expect(
        hosts.filter((host) => host !== 'http://www.w3.org'),
        file,
      ).toEqual([])
    }
  })
})

it('no source of the web inspector puts text in as HTML', () => {
  for (const file of filesIn(sources).filter((name) => /\.tsx?$/.test(name)))
    expect(readFileSync(file, 'utf8'), file).not.toMatch(
      /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write|\beval\(/,
    )
})

function filesIn(place: string): string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
