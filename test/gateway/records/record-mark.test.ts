import { expect, test } from 'vitest'
import { recordMarkIn, withRecordMark } from '../../../src/gateway/records/seal.ts'

const key = new Uint8Array(32).fill(7)
const mark = { session: '0198c1de-0000-7000-8000-000000000001', seq: 41 }

test('a marked record is known again in the frame of a client', () => {
  const framed = `This session is being continued.\n\nSummary:\n${withRecordMark('The record.', mark, key)}\n\nGo on.`

  expect(framed).toContain('The record.')
  expect(recordMarkIn(framed, key)).toEqual(mark)
})

test('of two marked records the last one counts', () => {
  const text = withRecordMark(withRecordMark('First.', mark, key), { ...mark, seq: 90 }, key)

  expect(recordMarkIn(text, key)).toEqual({ ...mark, seq: 90 })
})

test('a mark of another installation, or one that was changed, says nothing', () => {
  const text = withRecordMark('The record.', mark, key)

  expect(recordMarkIn(text, new Uint8Array(32).fill(8))).toBeUndefined()
  expect(recordMarkIn(text.replace(':41:', ':42:'), key)).toBeUndefined()
  expect(recordMarkIn('[pith-record:x:1:]', key)).toBeUndefined()
})
