import java.nio.file.Path;
import java.util.ArrayList;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.node.MockNode;
import org.elasticsearch.plugins.Plugin;

/** RunElasticsearch HOME HTTP_PORT TRANSPORT_PORT PLUGIN_CLASS…: one node on 127.0.0.1, without security. */
public class RunElasticsearch {
  public static void main(String[] given) throws Exception {
    Settings settings = Settings.builder()
        .put("path.home", Path.of(given[0]).toString())
        .put("node.name", "peer")
        .put("cluster.name", "peer")
        .put("network.host", "127.0.0.1")
        .put("http.port", given[1])
        .put("transport.port", given[2])
        .put("discovery.type", "single-node")
        .put("http.type", "netty4")
        .put("transport.type", "netty4")
        .put("xpack.security.enabled", false)
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .build();
    var plugins = new ArrayList<Class<? extends Plugin>>();
    for (int at = 3; at < given.length; at++) plugins.add(Class.forName(given[at]).asSubclass(Plugin.class));
    new MockNode(settings, plugins).start();
    Thread.currentThread().join();
  }
}
