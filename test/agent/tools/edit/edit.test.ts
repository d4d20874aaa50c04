import { chmodSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { edit } from '../../../../src/agent/tools/edit/edit.ts'
import { read } from '../../../../src/agent/tools/read/read.ts'
import { TestWorkspace } from '../support.ts'

async function spaceWith(content: string | Uint8Array): Promise<TestWorkspace> {
  const space = new TestWorkspace()
  space.put('a.ts', content)
  await space.call(read, { path: 'a.ts' })
  return space
}

describe('edit', () => {
  it('replaces a text and answers with a short diff', async () => {
    const space = await spaceWith('one\ntwo\nthree\n')
    const input = { path: 'a.ts', edits: [{ oldText: 'two', newText: "$& '$1'" }] }
    const { request, output } = await space.call(edit, input)
    expect(space.text('a.ts')).toBe("one\n$& '$1'\nthree\n")
    expect(request).toMatchObject({ kind: 'edit', path: 'a.ts', diff: expect.stringContaining('-two\n+$&') })
    expect(output.text).toBe("Edited a.ts, 1 place:\n@@ -1,3 +1,3 @@\n one\n-two\n+$& '$1'\n three")
    expect(output.files).toMatchObject([{ path: 'a.ts', access: 'modified' }])
  })

  it('edits again without reading again', async () => {
    const space = await spaceWith('a b c')
    await space.call(edit, { path: 'a.ts', edits: [{ oldText: 'a', newText: 'x' }] })
    const { output } = await space.call(edit, { path: 'a.ts', edits: [{ oldText: 'x b', newText: 'y' }] })
    expect(output.isError).toBeUndefined()
    expect(space.text('a.ts')).toBe('y c')
  })

  it('applies several edits in order', async () => {
    const space = await spaceWith('one two two')
    await space.call(edit, {
      path: 'a.ts',
      edits: [
        { oldText: 'one', newText: 'two' },
        { oldText: 'two', newText: 'three', replaceAll: true },
      ],
    })
    expect(space.text('a.ts')).toBe('three three three')
  })

  it('does nothing if one of them cannot be made', async () => {
    const space = await spaceWith('one two')
    const edits = [
      { oldText: 'one', newText: '1' },
      { oldText: 'three', newText: '3' },
    ]
    const { request, output } = await space.call(edit, { path: 'a.ts', edits })
    expect(request?.kind).toBe('read')
    expect(output).toEqual({
      text: 'a.ts: Edit 2: `oldText` is not found in the file: read the lines again and copy them exactly; nothing was changed',
      isError: true,
    })
    expect(space.text('a.ts')).toBe('one two')
  })

  it('says how often and where a text appears that is not unique', async () => {
    const space = await spaceWith('x\ny\nx\nx\n')
    const text = await space.outputOf(edit, { path: 'a.ts', edits: [{ oldText: 'x', newText: 'z' }] })
    expect(text).toContain('occurs 3 times in the file (lines 1, 3, 4)')
  })

  it('says that only white space is different, and where', async () => {
    const space = await spaceWith('function a() {\n\tif (x) {\n\t\treturn 1\n\t}\n}\n')
    const text = await space.outputOf(edit, {
      path: 'a.ts',
      edits: [{ oldText: '  if (x) {\n    return 1', newText: 'z' }],
    })
    expect(text).toContain('with other white space at line 2')
  })

  it('says that line numbers were copied', async () => {
    const space = await spaceWith('one\ntwo\n')
    const text = await space.outputOf(edit, { path: 'a.ts', edits: [{ oldText: '1\tone\n2\ttwo', newText: 'z' }] })
    expect(text).toContain('has the line numbers of read in it')
  })

  it('refuses a file that was never read or has changed since', async () => {
    const space = new TestWorkspace()
    space.put('a.ts', 'one')
    const input = { path: 'a.ts', edits: [{ oldText: 'one', newText: 'two' }] }
    expect(await space.outputOf(edit, input)).toBe('a.ts exists and you have not read it: read it first')
    await space.call(read, { path: 'a.ts' })
    space.put('a.ts', 'one!')
    expect(await space.outputOf(edit, input)).toBe('a.ts has changed since you last saw it: read it again first')
    expect(space.text('a.ts')).toBe('one!')
  })

  it('does not edit without a permission what became editable after the question', async () => {
    const space = new TestWorkspace()
    space.put('a.ts', 'one')
    const input = { path: 'a.ts', edits: [{ oldText: 'one', newText: 'two' }] }
    const allowed = await edit.permission(input, space.context)
    await space.call(read, { path: 'a.ts' })
    const output = await edit.run(input, { ...space.context, ...(allowed && { allowed }) })
    expect(output.text).toContain('was not allowed to be edited')
    expect(space.text('a.ts')).toBe('one')
  })

  it('keeps CRLF, byte order mark and rights', async () => {
    const space = await spaceWith('\ufeffone\r\ntwo\r\nthree\r\n')
    chmodSync(`${space.folder}/a.ts`, 0o640)
    await space.call(edit, { path: 'a.ts', edits: [{ oldText: 'one\ntwo', newText: '1\n2\n2b' }] })
    expect(space.text('a.ts')).toBe('\ufeff1\r\n2\r\n2b\r\nthree\r\n')
    expect(statSync(`${space.folder}/a.ts`).mode & 0o777).toBe(0o640)
  })

  it('changes nothing but the place in a file of mixed line ends', async () => {
    const space = await spaceWith('a\nb\r\nc\nd\n')
    await space.call(edit, { path: 'a.ts', edits: [{ oldText: 'b\nc', newText: 'x\ny' }] })
    expect(space.text('a.ts')).toBe('a\nx\ny\nd\n')
  })

  it('leaves a file alone that is not UTF-8', async () => {
    const bytes = Buffer.from('caf\xe9 one', 'latin1')
    const space = await spaceWith(bytes)
    const text = await space.outputOf(edit, { path: 'a.ts', edits: [{ oldText: 'one', newText: 'two' }] })
    expect(text).toContain('not UTF-8')
  })

  it('refuses a read-only file, unless we are root', async () => {
    if (process.getuid?.() === 0) return console.log('not run: root may write read-only files')
    const space = await spaceWith('one')
    chmodSync(`${space.folder}/a.ts`, 0o444)
    const text = await space.outputOf(edit, { path: 'a.ts', edits: [{ oldText: 'one', newText: 'two' }] })
    expect(text).toContain('is read-only')
  })

  it('names the nearest file when there is none', async () => {
    const space = await spaceWith('one')
    const text = await space.outputOf(edit, { path: 'b.ts', edits: [{ oldText: 'one', newText: 'two' }] })
    expect(text).toBe('No such file or folder: b.ts; did you mean a.ts?')
  })
})
