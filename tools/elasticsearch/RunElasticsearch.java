import java.nio.file.Path;
import java.util.ArrayList;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.node.MockNode;
import org.elasticsearch.plugins.Plugin;

/** RunElasticsearch HOME HTTP_PORT TRANSPORT_PORT (PLUGIN_CLASS | SETTING=VALUE)…: one node on 127.0.0.1. */
public class RunElasticsearch {
  public static void main(String[] given) throws Exception {
    Settings.Builder settings = Settings.builder()
        .put("path.home", Path.of(given[0]).toString())
        .put("node.name", "peer")
        .put("cluster.name", "peer")
        .put("network.host", "127.0.0.1")
        .put("http.port", given[1])
        .put("transport.port", given[2])
        .put("discovery.type", "single-node")
        .put("cluster.routing.allocation.disk.threshold_enabled", false);
    var plugins = new ArrayList<Class<? extends Plugin>>();
    for (int at = 3; at < given.length; at++) {
      String[] parts = given[at].split("=", 2);
      if (parts.length == 2) settings.put(parts[0], parts[1]);
      else plugins.add(Class.forName(given[at]).asSubclass(Plugin.class));
    }
    new MockNode(settings.build(), plugins).start();
    Thread.currentThread().join();
  }
}
