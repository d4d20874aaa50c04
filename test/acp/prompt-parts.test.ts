import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { promptParts } from '../../src/acp/prompt-parts.ts'

const WORK = '/home/ada/app'
const uriOf = (path: string) => pathToFileURL(path).href
const link = (uri: string) => ({ type: 'resource_link', uri, name: 'a name that the editor shows' }) as const

it('a prompt of an editor has linked files in the typed text, those of the workspace as a user types them', () => {
  const { text, attached } = promptParts(
    [
      { type: 'text', text: ' Compare ' },
      link(uriOf(`${WORK}/src/my file.ts`)),
      { type: 'text', text: ' with ' },
      link(uriOf('/home/ada/other/b.ts')),
      { type: 'text', text: ' and ' },
      link('https://docs.acme.io/api'),
      { type: 'text', text: ' ' },
    ],
    WORK,
  )
  expect(text).toBe('Compare @"src/my file.ts" with @"/home/ada/other/b.ts" and https://docs.acme.io/api')
  expect(attached).toEqual([])
})

it('a prompt of an editor has contents, images and what is neither beside the typed text', () => {
  const { text, attached } = promptParts(
    [
      { type: 'text', text: 'Look at these' },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: uriOf('/tmp/log.txt'), text: 'line 1' } },
      { type: 'resource', resource: { uri: uriOf('/tmp/shot.jpg'), blob: '/9j/4AAQ', mimeType: 'image/jpeg' } },
      { type: 'resource', resource: { uri: 'zed://thread/1', blob: 'AAEC', mimeType: 'application/zip' } },
    ],
    WORK,
  )
  expect(text).toBe('Look at these')
  expect(attached).toEqual([
    { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' },
    { type: 'text', text: expect.stringMatching(/\/tmp\/log\.txt[\s\S]*line 1/) },
    { type: 'image', image: '/9j/4AAQ', mediaType: 'image/jpeg' },
    { type: 'text', text: expect.stringMatching(/zed:\/\/thread\/1[\s\S]*not text/) },
  ])
})
