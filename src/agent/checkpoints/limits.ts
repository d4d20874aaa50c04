/** A larger file is not kept. */
export const LARGE_FILE_BYTES = 8 * 1024 * 1024

/** Why the content of a file is not kept, for the user. */
export const TOO_LARGE = 'it is too large to be kept'
