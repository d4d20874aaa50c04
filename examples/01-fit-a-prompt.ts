/**
 * Makes a list of messages fit a model's window: the whole API is one function. Without a model the summary is a digest,
 * made from the messages alone.
 * In an empty folder with the copy of this file in the package: npm install pith && node 01-fit-a-prompt.ts
 */
import { fit, type Message } from '../src/index.ts' // in your program: from 'pith'

const messages: Message[] = [{ role: 'system', content: 'You are a helpful assistant.' }]
for (let day = 1; day <= 60; day++) {
  messages.push({
    role: 'user',
    content: `Day ${day}: what did we decide about the harbour? ${'More of it. '.repeat(40)}`,
  })
  messages.push({ role: 'assistant', content: `On day ${day} we decided to wait. ${'For this reason. '.repeat(40)}` })
}

const fitted = await fit(messages, { window: 8_000 })

console.log(`${messages.length} messages of about ${fitted.tokensBefore} tokens`)
console.log(`${fitted.messages.length} messages of about ${fitted.tokensAfter} tokens fit: ${fitted.fits}`)
console.log(fitted.messages.map(({ role }) => role).join(' '))
