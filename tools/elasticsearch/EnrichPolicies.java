import static org.elasticsearch.rest.RestRequest.Method.DELETE;
import static org.elasticsearch.rest.RestRequest.Method.PUT;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.elasticsearch.action.bulk.BulkRequest;
import org.elasticsearch.action.index.IndexRequest;
import org.elasticsearch.action.support.PlainActionFuture;
import org.elasticsearch.action.support.WriteRequest.RefreshPolicy;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.ClusterState;
import org.elasticsearch.cluster.ClusterStateUpdateTask;
import org.elasticsearch.cluster.metadata.IndexNameExpressionResolver;
import org.elasticsearch.cluster.metadata.Metadata;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.cluster.service.ClusterService;
import org.elasticsearch.common.io.stream.NamedWriteableRegistry;
import org.elasticsearch.common.settings.ClusterSettings;
import org.elasticsearch.common.settings.IndexScopedSettings;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.common.settings.SettingsFilter;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestController;
import org.elasticsearch.rest.RestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;
import org.elasticsearch.xpack.core.enrich.EnrichMetadata;
import org.elasticsearch.xpack.core.enrich.EnrichPolicy;

/** `/_enrich/policy/{name}` and its `_execute` for a node without the module of enrich: policies of the types `match` and `range`, which ENRICH of ES|QL finds. */
public class EnrichPolicies extends Plugin implements ActionPlugin {
  private ClusterService clusters;

  @Override
  public Collection<?> createComponents(PluginServices services) {
    clusters = services.clusterService();
    return List.of();
  }

  @Override
  public Collection<RestHandler> getRestHandlers(
      Settings settings, NamedWriteableRegistry writeables, RestController controller, ClusterSettings cluster, IndexScopedSettings scoped,
      SettingsFilter filter, IndexNameExpressionResolver names, Supplier<DiscoveryNodes> nodes, Predicate<NodeFeature> features) {
    return List.of(new Handler());
  }

  private class Handler extends BaseRestHandler {
    @Override
    public String getName() {
      return "enrich_policies";
    }

    @Override
    public List<Route> routes() {
      return List.of(
          new Route(PUT, "/_enrich/policy/{name}"), new Route(DELETE, "/_enrich/policy/{name}"), new Route(PUT, "/_enrich/policy/{name}/_execute"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) throws java.io.IOException {
      String name = request.param("name");
      if (request.path().endsWith("/_execute")) return done(() -> execute(name, client));
      if (request.method() == DELETE) return done(() -> {
        change(policies -> { policies.remove(name); return policies; });
        drop(name, client, "");
      });
      EnrichPolicy policy;
      try (var parser = request.contentParser()) { policy = EnrichPolicy.fromXContent(parser); }
      return done(() -> change(policies -> { policies.put(name, policy); return policies; }));
    }

    /** What waits runs beside the threads of the network. */
    private RestChannelConsumer done(Runnable work) {
      return channel -> clusters.threadPool().generic().execute(() -> {
        try {
          work.run();
          channel.sendResponse(new RestResponse(RestStatus.OK, "application/json", new org.elasticsearch.common.bytes.BytesArray("{\"acknowledged\":true}")));
        } catch (Exception thrown) {
          try { channel.sendResponse(new RestResponse(channel, thrown)); } catch (java.io.IOException lost) { throw new java.io.UncheckedIOException(lost); }
        }
      });
    }
  }

  private void change(UnaryOperator<Map<String, EnrichPolicy>> how) {
    var finished = new PlainActionFuture<Void>();
    clusters.submitUnbatchedStateUpdateTask("enrich", new ClusterStateUpdateTask() {
      @Override
      public ClusterState execute(ClusterState state) {
        EnrichMetadata before = state.metadata().custom(EnrichMetadata.TYPE);
        var policies = new HashMap<>(before == null ? Map.of() : before.getPolicies());
        var after = new EnrichMetadata(how.apply(policies));
        return ClusterState.builder(state).metadata(Metadata.builder(state.metadata()).putCustom(EnrichMetadata.TYPE, after)).build();
      }

      @Override
      public void onFailure(Exception thrown) { finished.onFailure(thrown); }

      @Override
      public void clusterStateProcessed(ClusterState before, ClusterState after) { finished.onResponse(null); }
    });
    finished.actionGet();
  }

  /** Drops what executions before made. */
  private void drop(String name, NodeClient client, String butFor) {
    for (String index : clusters.state().metadata().indices().keySet())
      if (!index.equals(butFor) && EnrichPolicy.isPolicyForIndex(name, index)) client.admin().indices().prepareDelete(index).get();
  }

  private static Map<String, Object> mappingOf(String type) {
    return type.equals("version") ? Map.of("type", type) : Map.of("type", type, "index", false);
  }

  private void execute(String name, NodeClient client) {
    EnrichMetadata known = clusters.state().metadata().custom(EnrichMetadata.TYPE);
    EnrichPolicy policy = known.getPolicies().get(name);
    String[] sources = policy.getIndices().toArray(new String[0]);
    var fields = new LinkedHashMap<String, Object>();
    var mappings = client.admin().indices().prepareGetMappings(sources).get().getMappings();
    for (String field : policy.getEnrichFields()) put(fields, field, mappingOf(typeOf(mappings, field)));
    String match = policy.getMatchField();
    boolean isMatch = policy.getType().equals(EnrichPolicy.MATCH_TYPE);
    put(fields, match, Map.of("type", isMatch ? "keyword" : typeOf(mappings, match), "doc_values", false));
    String index = EnrichPolicy.getIndexName(name, System.currentTimeMillis());
    Map<String, Object> meta = Map.of("enrich_policy_name", name, "enrich_match_field", match, "enrich_policy_type", policy.getType());
    client.admin().indices().prepareCreate(index).setMapping(Map.of("dynamic", false, "_meta", meta, "properties", fields))
        .setSettings(Settings.builder().put("index.number_of_replicas", 0).put("index.hidden", true)).get();
    var bulk = new BulkRequest().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    var found = client.prepareSearch(sources).setSize(10_000).get();
    try {
      for (var hit : found.getHits()) bulk.add(new IndexRequest(index).source(hit.getSourceAsMap()));
    } finally { found.decRef(); }
    if (bulk.numberOfActions() > 0) client.bulk(bulk).actionGet();
    client.admin().indices().prepareAliases()
        .addAlias(index, EnrichPolicy.getBaseName(name)).get();
    drop(name, client, index);
  }

  @SuppressWarnings("unchecked")
  private static void put(Map<String, Object> properties, String path, Map<String, Object> mapping) {
    int dot = path.indexOf('.');
    if (dot < 0) { properties.put(path, mapping); return; }
    var object = (Map<String, Object>) properties.computeIfAbsent(path.substring(0, dot), key -> new HashMap<>(Map.of("properties", new HashMap<>())));
    put((Map<String, Object>) object.get("properties"), path.substring(dot + 1), mapping);
  }

  @SuppressWarnings("unchecked")
  private static String typeOf(Map<String, org.elasticsearch.cluster.metadata.MappingMetadata> mappings, String path) {
    var types = new java.util.TreeSet<String>();
    for (var mapping : mappings.values()) {
      Map<String, Object> at = mapping.getSourceAsMap();
      for (String part : path.split("\\.")) at = (Map<String, Object>) ((Map<String, Object>) at.get("properties")).get(part);
      types.add((String) at.get("type"));
    }
    return types.size() == 1 ? types.first() : "keyword";
  }
}
