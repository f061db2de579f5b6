import type { Word } from '../../text-diff/words.ts'
import type { Block, Run } from '../blocks.ts'
import type { RichElement } from '../rich-element.ts'

/** A word, space, punctuation mark, line break or image. */
export interface Token {
  readonly html: string
  /** What it is compared as; null for what no reader sees, such as space at the end of a block. */
  readonly word: Word | null
  /** Characters of a word; 0 for space and punctuation. */
  readonly weight: number
  readonly path: readonly RichElement[]
}

/** A run of the newer text with what has changed in it. */
export interface MarkedRun {
  readonly run: Run
  readonly tokens: readonly Token[]
  /** Whether each of the tokens is new. */
  readonly isAdded: readonly boolean[]
  /** Words of older runs, by the index of the token that they stand before. */
  readonly removed: ReadonlyMap<number, readonly Token[]>
}

/** The runs of the newer text that words of an older run are in. */
export interface Successors {
  readonly first: Run
  readonly last: Run
  /** The one that has most of them. */
  readonly main: Run
}

/** A part of the older text that is put back. */
export interface PutBack {
  readonly part: Block | Run
  /** The blocks that it is in and that are not there either, outermost first. */
  readonly within: readonly Block[]
}

/**
 * By blocks of the newer text, and the index of the part that it is put back before: what is gone of the older text.
 */
export type PlacesOfRemoved = ReadonlyMap<Block, ReadonlyMap<number, readonly PutBack[]>>
