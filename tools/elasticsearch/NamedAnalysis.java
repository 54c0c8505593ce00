import static java.util.Map.entry;

import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.email.UAX29URLEmailTokenizer;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.miscellaneous.TrimFilter;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;

/** The filters and tokenizers that the indices of security name, of a module that Maven Central has not. */
public class NamedAnalysis extends Plugin implements AnalysisPlugin {
  @Override
  public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
    return Map.ofEntries(
        entry("lowercase", filter(LowerCaseFilter::new)),
        entry("asciifolding", filter(ASCIIFoldingFilter::new)),
        entry("unique", filter(RemoveDuplicatesTokenFilter::new)),
        entry("trim", filter(TrimFilter::new)),
        entry("pattern_capture", (index, environment, name, settings) -> {
          Pattern[] patterns = settings.getAsList("patterns").stream().map(Pattern::compile).toArray(Pattern[]::new);
          boolean keeps = settings.getAsBoolean("preserve_original", true);
          return new Filter(name, tokens -> new PatternCaptureGroupTokenFilter(tokens, keeps, patterns));
        }));
  }

  @Override
  public Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
    return Map.of("uax_url_email", tokenizer(UAX29URLEmailTokenizer::new), "whitespace", tokenizer(WhitespaceTokenizer::new));
  }

  private static AnalysisProvider<TokenFilterFactory> filter(Function<TokenStream, TokenStream> made) {
    return (index, environment, name, settings) -> new Filter(name, made);
  }

  private static AnalysisProvider<TokenizerFactory> tokenizer(Supplier<Tokenizer> made) {
    return (index, environment, name, settings) -> TokenizerFactory.newFactory(name, made);
  }

  private record Filter(String name, Function<TokenStream, TokenStream> made) implements TokenFilterFactory {
    @Override
    public TokenStream create(TokenStream tokens) {
      return made.apply(tokens);
    }
  }
}
