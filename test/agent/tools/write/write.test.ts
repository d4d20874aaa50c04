import { chmodSync, existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read } from '../../../../src/agent/tools/read/read.ts'
import { write } from '../../../../src/agent/tools/write/write.ts'
import { TestWorkspace } from '../support.ts'

describe('write', () => {
  it('makes a file and its folders, shows the diff first, and knows the file afterwards', async () => {
    const space = new TestWorkspace()
    const { request, output } = await space.call(write, { path: 'new/deep/a.ts', content: 'one\ntwo\n' })
    expect(space.text('new/deep/a.ts')).toBe('one\ntwo\n')
    expect(request).toEqual({
      kind: 'edit',
      path: 'new/deep/a.ts',
      outside: false,
      diff: '--- /dev/null\n+++ new/deep/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two',
    })
    expect(output.text).toBe('Created new/deep/a.ts (2 lines).')
    expect(output.files).toMatchObject([{ path: 'new/deep/a.ts', access: 'modified' }])
    expect((await space.call(write, { path: 'new/deep/a.ts', content: 'three\n' })).output.text).toBe(
      'Replaced new/deep/a.ts (1 line).',
    )
    expect(readdirSync(join(space.folder, 'new/deep'))).toEqual(['a.ts'])
  })

  it('gives a new file the rights that any program would', async () => {
    const space = new TestWorkspace()
    const other = space.put('other', '')
    await space.call(write, { path: 'a', content: 'one\n\nthree' })
    expect(statSync(join(space.folder, 'a')).mode).toBe(statSync(other).mode)
  })

  it('counts the lines of what it wrote', async () => {
    const space = new TestWorkspace()
    const written = (path: string, content: string) => space.outputOf(write, { path, content })
    expect(await written('a', '')).toBe('Created a (0 lines).')
    expect(await written('b', '\n')).toBe('Created b (1 line).')
    expect(await written('c', 'one\n\n\nfour')).toBe('Created c (4 lines).')
    expect(await written('d', 'one\ntwo\n\n')).toBe('Created d (3 lines).')
  })

  it('knows a file by the same hash as read does', async () => {
    const space = new TestWorkspace()
    const written = await space.call(write, { path: 'a', content: 'ä\n' })
    const seen = await space.call(read, { path: 'a' })
    expect(written.output.files?.[0]?.hash).toBe(seen.output.files?.[0]?.hash)
  })

  it('refuses to overwrite a file that the agent never saw, and does not ask the user about it', async () => {
    const space = new TestWorkspace()
    space.put('a.ts', 'mine')
    const { request, output } = await space.call(write, { path: 'a.ts', content: 'other' })
    expect(request).toEqual({ kind: 'read', path: 'a.ts', outside: false })
    expect(output).toEqual({ text: 'a.ts exists and you have not read it: read it first', isError: true })
    expect(space.text('a.ts')).toBe('mine')
  })

  it('refuses to overwrite what has changed since it was read', async () => {
    const space = new TestWorkspace()
    space.put('a.ts', 'mine')
    await space.call(read, { path: 'a.ts' })
    space.put('a.ts', 'changed')
    expect((await space.call(write, { path: 'a.ts', content: 'other' })).output).toEqual({
      text: 'a.ts has changed since you last saw it: read it again first',
      isError: true,
    })
    expect(space.text('a.ts')).toBe('changed')
  })

  it('keeps rights, CRLF and byte order mark of the old file', async () => {
    const space = new TestWorkspace()
    const path = space.put('run.sh', '\ufeffa\r\nb\r\n')
    chmodSync(path, 0o751)
    await space.call(read, { path: 'run.sh' })
    await space.call(write, { path: 'run.sh', content: 'x\ny\n' })
    expect(space.text('run.sh')).toBe('\ufeffx\r\ny\r\n')
    expect(statSync(path).mode & 0o777).toBe(0o751)
  })

  it('writes through a link and leaves the link', async () => {
    const space = new TestWorkspace()
    space.put('real.txt', 'old')
    symlinkSync('real.txt', join(space.folder, 'link.txt'))
    await space.call(read, { path: 'link.txt' })
    const { output } = await space.call(write, { path: 'link.txt', content: 'new' })
    expect(output.files).toMatchObject([{ path: 'real.txt' }])
    expect(space.text('real.txt')).toBe('new')
    expect(statSync(join(space.folder, 'link.txt')).isFile()).toBe(true)
  })

  it('writes nothing outside unless that very place was allowed', async () => {
    const space = new TestWorkspace()
    symlinkSync(join(space.outside, 'new'), join(space.folder, 'dangling'))
    const input = { path: 'dangling', content: 'x' }
    const allowed = await write.permission(input, space.context)
    expect(allowed).toMatchObject({ kind: 'edit', path: join(space.outside, 'new'), outside: true })
    const others = ['dangling', join(space.outside, 'other')].map((path) => ({
      kind: 'edit' as const,
      path,
      outside: true,
    }))
    for (const other of [undefined, ...others]) {
      const output = await write.run(input, { ...space.context, ...(other && { allowed: other }) })
      expect(output.isError).toBe(true)
    }
    expect(existsSync(join(space.outside, 'new'))).toBe(false)
    expect((await space.call(write, input)).output.isError).toBeUndefined()
    expect(existsSync(join(space.outside, 'new'))).toBe(true)
  })

  it('does not write inside either without a permission', async () => {
    const space = new TestWorkspace()
    expect((await write.run({ path: 'a', content: 'x' }, space.context)).text).toContain('was not allowed')
    for (const allowed of [
      { kind: 'read' as const, path: 'a', outside: false },
      { kind: 'edit' as const, path: 'b', outside: false },
      { kind: 'command' as const, command: 'touch a' },
    ]) {
      expect((await write.run({ path: 'a', content: 'x' }, { ...space.context, allowed })).isError).toBe(true)
    }
    expect(existsSync(join(space.folder, 'a'))).toBe(false)
  })

  it('says in one line why it cannot write, and leaves no files', async () => {
    const space = new TestWorkspace()
    space.put('file', '')
    expect((await space.call(write, { path: 'file/below', content: 'x' })).output).toMatchObject({ isError: true })
    expect(await space.outputOf(write, { path: '.', content: 'x' })).toContain('is a folder')
    expect(readdirSync(space.folder)).toEqual(['file'])
  })

  it('says of a diff that is too large that it is', async () => {
    const space = new TestWorkspace()
    const lines = (letter: string) => `${letter.repeat(99)}\n`.repeat(25_000)
    writeFileSync(join(space.folder, 'big'), lines('x'))
    await space.call(read, { path: 'big' })
    const { request } = await space.call(write, { path: 'big', content: lines('y') })
    expect(request).toMatchObject({ diff: '(big: 25000 lines become 25000; too much for a diff)' })
  })
})
