/** For a request that is the conversation itself with one more message. */
export const WARM = `This message is from the program, not from the user: the conversation above is about to be compacted. Do not continue it, do not answer questions in it, and call no tools. Answer with text only.`
