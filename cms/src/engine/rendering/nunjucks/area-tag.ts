import type { ShownArea } from '../../scene-parts.ts'

/** The parts of a Nunjucks parser that a tag needs. */
interface Parser {
  nextToken(): { readonly value: string }
  parseSignature(tolerant: null, noParens: boolean): object
  advanceAfterBlockEnd(name: string): void
}

/** `{% area data.page.body %}`, `{% area data.widget.content, { sizes: '50vw' } %}`: renders the widgets of an area. */
export class AreaTag {
  readonly tags = ['area']

  parse(parser: Parser, nodes: { readonly CallExtension: new (...given: unknown[]) => object }): object {
    const tag = parser.nextToken()
    const given = parser.parseSignature(null, true)
    parser.advanceAfterBlockEnd(tag.value)
    return new nodes.CallExtension(this, 'run', given)
  }

  run(
    context: { lookup(name: string): (...given: unknown[]) => unknown },
    area?: ShownArea,
    options?: object,
  ): unknown {
    return context.lookup('area')(area, options)
  }
}
