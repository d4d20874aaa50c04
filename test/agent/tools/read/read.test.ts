import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read } from '../../../../src/agent/tools/read/read.ts'
import { TestWorkspace } from '../support.ts'

describe('read', () => {
  it('shows lines with their numbers and says what it saw', async () => {
    const space = new TestWorkspace()
    space.put('src/a.ts', 'one\ntwo\n')
    const { output, request } = await space.call(read, { path: './src/../src/a.ts' })
    expect(output.text).toBe('1\tone\n2\ttwo')
    expect(output.files).toEqual([{ path: 'src/a.ts', access: 'read', hash: expect.stringMatching(/^[0-9a-f]{16}$/) }])
    expect(request).toEqual({ kind: 'read', path: 'src/a.ts', outside: false })
  })

  it('shows a part and says how to continue', async () => {
    const space = new TestWorkspace()
    space.put('long.txt', Array.from({ length: 5_000 }, (_, i) => `line ${i + 1}`).join('\n'))
    expect(await space.outputOf(read, { path: 'long.txt' })).toMatch(
      /2000\tline 2000\n\n\(Lines 1 to 2000 of 5000; to go on: offset 2001\.\)$/,
    )
    const part = await space.outputOf(read, { path: 'long.txt', offset: 4_999, limit: 10 })
    expect(part).toBe('4999\tline 4999\n5000\tline 5000')
    expect(await space.outputOf(read, { path: 'long.txt', offset: 9_999 })).toContain('has only 5000 lines')
  })

  it('stops before the text gets too long, at a line', async () => {
    const space = new TestWorkspace()
    space.put('wide.txt', `${'x'.repeat(1_999)}\n`.repeat(1_000))
    const text = await space.outputOf(read, { path: 'wide.txt' })
    expect(text.length).toBeLessThan(30_000)
    const next = Number(/offset (\d+)/.exec(text)?.[1])
    expect(text).toContain(`\n${next - 1}\txxx`)
    expect(text).not.toContain(`\n${next}\t`)
  })

  it('answers in pages that the view shows whole: together they are the file', async () => {
    const space = new TestWorkspace()
    const lines = Array.from({ length: 400 }, (_, i) => `line ${i + 1} ${'x'.repeat(i % 90)}`)
    space.put('a.txt', lines.join('\n'))
    const seen: string[] = []
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const page = await space.outputOf(read, { path: 'a.txt', offset }, { shownCharacters: 3_000 })
      expect(page.length).toBeLessThanOrEqual(3_000)
      const [shown = ''] = page.split('\n\n(Lines ')
      seen.push(...shown.split('\n').map((line) => line.replace(/^\d+\t/, '')))
      const next: string | undefined = /offset (\d+)\.\)$/.exec(page)?.[1]
      offset = next === undefined ? undefined : Number(next)
    }
    expect(seen).toEqual(lines)
  })

  it('cuts a line that is too long, never inside a character', async () => {
    const space = new TestWorkspace()
    space.put('min.js', `${'😀'.repeat(5_000)}\nshort`)
    const [first, second] = (await space.outputOf(read, { path: 'min.js' })).split('\n')
    expect(first).toMatch(/^1\t(?:😀)+… \(cut here: the line has 20000 bytes\)$/u)
    expect(second).toBe('2\tshort')
  })

  it('keeps the first byte order mark and line ends out of the lines, and says CRLF', async () => {
    const space = new TestWorkspace()
    space.put('dos.txt', '\ufeffa\r\nb\r\n')
    expect(await space.outputOf(read, { path: 'dos.txt' })).toBe('1\ta\n2\tb\n\n(The lines end in CRLF.)')
  })

  it('says what a binary file is, and shows an image', async () => {
    const space = new TestWorkspace()
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000400000002008060000', 'hex')
    space.put('logo.png', png)
    space.put('data.bin', Buffer.from([1, 2, 0, 3]))
    space.put('doc.pdf', '%PDF-1.7\n…')
    space.put('wide.txt', Buffer.from('\ufeffhello', 'utf16le'))
    expect((await space.call(read, { path: 'logo.png' })).output).toMatchObject({
      text: 'logo.png is a PNG image, 28 bytes.',
      images: [{ mediaType: 'image/png', data: png.toString('base64') }],
    })
    space.put('huge.png', Buffer.concat([png, Buffer.alloc(5_000_000)]))
    expect(await space.outputOf(read, { path: 'huge.png' })).toContain('images of more than 5 MB are refused')
    expect(await space.outputOf(read, { path: 'data.bin' })).toBe('data.bin is a binary file, 4 bytes: not shown.')
    expect(await space.outputOf(read, { path: 'doc.pdf' })).toContain('is a PDF document')
    expect(await space.outputOf(read, { path: 'wide.txt' })).toContain('is UTF-16 text')
  })

  it('says that bytes are not UTF-8', async () => {
    const space = new TestWorkspace()
    space.put('latin.txt', Buffer.from('caf\xe9\n', 'latin1'))
    expect(await space.outputOf(read, { path: 'latin.txt' })).toContain('Not all of it is valid UTF-8')
  })

  it('answers for an empty file, a folder and a missing file', async () => {
    const space = new TestWorkspace()
    space.put('src/settings.ts', '')
    expect((await space.call(read, { path: 'src/settings.ts' })).output).toMatchObject({
      text: 'src/settings.ts is empty.',
    })
    expect((await space.call(read, { path: 'src' })).output).toEqual({
      text: 'src is a folder: list it with ls',
      isError: true,
    })
    const { output } = await space.call(read, { path: 'src/setings.ts' })
    expect(output).toEqual({
      text: 'No such file or folder: src/setings.ts; did you mean src/settings.ts?',
      isError: true,
    })
    expect(await space.outputOf(read, { path: 'sr/settings.ts' })).toContain('did you mean src?')
  })

  it('does not hang on a pipe', async () => {
    const space = new TestWorkspace()
    execFileSync('mkfifo', [join(space.folder, 'pipe')])
    expect(await space.outputOf(read, { path: 'pipe' })).toBe('pipe is not a regular file: it cannot be read')
  })

  it('does not read a huge file', async () => {
    const space = new TestWorkspace()
    const path = space.put('huge.log', 'first\nsecond\n')
    truncateSync(path, 40 * 1024 ** 3) // sparse: reading all of it would take minutes
    const { output } = await space.call(read, { path: 'huge.log', limit: 2 })
    expect(output).toEqual({ text: 'huge.log has 43 GB, too much to read: use grep or a command', isError: true })
  })

  it('says outside for a link that leads out, and does not read it unless that was allowed', async () => {
    const space = new TestWorkspace()
    writeFileSync(join(space.outside, 'secret'), 'secret')
    symlinkSync(space.outside, join(space.folder, 'link'))
    const input = { path: 'link/secret' }
    const { request, output } = await space.call(read, input)
    expect(request).toEqual({ kind: 'read', path: join(space.outside, 'secret'), outside: true })
    expect(output.text).toBe('1\tsecret')
    const refused = await read.run(input, space.context)
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('outside of the workspace') })
  })

  it('does not follow a link that came in after the question', async () => {
    const space = new TestWorkspace()
    writeFileSync(join(space.outside, 'a'), 'secret')
    mkdirSync(join(space.folder, 'real'))
    space.put('real/a', 'fine')
    const allowed = await read.permission({ path: 'sub/a' }, space.context)
    symlinkSync(space.outside, join(space.folder, 'sub'))
    const output = await read.run({ path: 'sub/a' }, { ...space.context, ...(allowed && { allowed }) })
    expect(output.isError).toBe(true)
    expect(output.text).not.toContain('secret')
  })

  it('refuses an input that it does not know, in one line', async () => {
    const space = new TestWorkspace()
    expect(await space.outputOf(read, { path: 'a', ofset: 3 })).toBe(
      'read: unknown key `ofset`, did you mean `offset`?',
    )
    expect((await space.call(read, {})).output.isError).toBe(true)
    expect(await space.outputOf(read, { path: 'a\0b' })).toContain('NUL')
  })
})
