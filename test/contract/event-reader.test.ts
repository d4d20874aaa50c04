import { describe, expect, it } from 'vitest'
import { eventReader } from '../../src/contract/event-reader.ts'

describe('events of a stream', () => {
  const stream =
    'event: entry\ndata: {"a":\ndata: 1}\n\n: keep alive\n\nid: 7\r\nevent: message\r\ndata:x\r\n\r\ndata: y\n\n'
  const events = [
    { name: 'entry', data: '{"a":\n1}' },
    { name: 'message', data: 'x', id: '7' },
    { name: 'message', data: 'y' },
  ]

  it('are read whole', () => {
    expect(eventReader()(stream)).toEqual(events)
  })

  it('are the same however the stream is cut', () => {
    for (let size = 1; size < 12; size++) {
      const read = eventReader()
      const pieces = stream.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(pieces.flatMap(read), `pieces of ${size}`).toEqual(events)
    }
  })

  it('wait for their end', () => {
    const read = eventReader()
    expect(read('data: half')).toEqual([])
    expect(read('\n\n')).toEqual([{ name: 'message', data: 'half' }])
  })
})
