import { describe, expect, it } from 'vitest'
import { PithError } from '../../../src/model/problems/errors.ts'
import { addressOf, type CallKind, LostAnswer, withServerErrors } from '../../../src/store/postgres/connection.ts'

const errorOf = (error: unknown, kind?: CallKind) =>
  withServerErrors('postgres://host/db', () => Promise.reject(error), kind).catch((thrown: unknown) => thrown)

const withCode = (code: string, message = 'why') => Object.assign(new Error(message), { code })

describe('an error of the server', () => {
  it.each(['XX001', 'XX002'])('%s says that the database is damaged', async (code) => {
    expect(await errorOf(withCode(code))).toMatchObject({
      code: 'store-damaged',
      message: 'postgres://host/db is damaged (why): it was left as it is; restore a backup',
      cause: { code },
    })
  })

  it.each([
    ...['08006', '28P01', '3D000', '3F000', '42501', '25006', '53300', '57P01', '58030'],
    ...['ECONNREFUSED', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
  ])('%s says that the database cannot be used', async (code) => {
    expect(await errorOf(withCode(code, 'one\n  two'))).toMatchObject({
      code: 'store-unwritable',
      message:
        'postgres://host/db cannot be used (one two): nothing that was saved is lost; check the server and the permissions',
      cause: { code },
    })
  })

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Connection terminated due to connection timeout expired',
  ])('"%s" says so too', async (message) => {
    expect(await errorOf(new Error(message))).toMatchObject({ code: 'store-unwritable' })
  })

  it('about its disk says that it is full', async () => {
    expect(await errorOf(withCode('53100'))).toMatchObject({
      code: 'store-full',
      message: 'the disk of postgres://host/db is full (why): nothing that was saved is lost; free space on the server',
    })
  })

  it('that is a lost answer leaves it unknown whether a write is saved, and of a read says only what is wrong', async () => {
    const lost = new LostAnswer('why', { cause: withCode('57P01') })
    expect(await errorOf(lost, 'write')).toMatchObject({
      code: 'store-unanswered',
      message:
        'postgres://host/db did not answer (why): what was sent last may be saved or not; check the server and the network',
    })
    expect(await errorOf(lost, 'read')).toMatchObject({
      code: 'store-unwritable',
      message: expect.stringContaining('cannot be used (why)'),
    })
  })

  it('of several addresses says why the first one failed', async () => {
    const both = new AggregateError([new Error('no way to ::1'), new Error('no way to 127.0.0.1')])
    expect(await errorOf(Object.assign(both, { code: 'ECONNREFUSED' }))).toMatchObject({
      message: expect.stringContaining('(no way to ::1)'),
    })
    expect(await errorOf(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))).toMatchObject({
      message: expect.stringContaining('(AggregateError)'),
    })
  })

  it('about the address does not quote it: it may hold a password', async () => {
    expect(await errorOf(withCode('ERR_INVALID_URL', 'postgres://ann:secret@'))).toMatchObject({
      code: 'bad-argument',
      message: 'The address of the PostgreSQL database is not a valid URL',
    })
  })

  it('of another kind stays what it is', async () => {
    for (const error of [
      withCode('23505'),
      withCode('XX003'),
      new Error('why'),
      'text',
      new PithError('unknown-session', 'x'),
    ]) {
      expect(await errorOf(error)).toBe(error)
    }
  })

  it('does not concern work that is done', async () => {
    expect(await withServerErrors('x', async () => 'done')).toBe('done')
  })
})

it('the address of a database has no user and no password', () => {
  expect(addressOf('postgres://ann:secret@host:5432/db?x=1')).toBe('postgres://host:5432/db')
  expect(addressOf('not an address')).toBe('postgres://')
})
