import { changed } from './changes.ts'
import { currentSources } from './sources.ts'
import type { SettingReader } from './store.ts'

/** Reads settings, and notes which. */
export class NotedSettingReader implements SettingReader {
  readonly #reader: SettingReader

  constructor(reader: SettingReader) {
    this.#reader = reader
  }

  get(name: string): Promise<string | null> {
    currentSources()?.note(changed.setting(name))
    return this.#reader.get(name)
  }
}
