import java.nio.file.Path;
import java.util.*;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;

public class RunOpenSearch extends Node {
    RunOpenSearch(Environment env, Collection<Class<? extends Plugin>> plugins) { super(env, plugins, false); }
    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        Settings settings = Settings.builder()
            .put("path.home", home).put("path.data", home.resolve("data")).put("path.logs", home.resolve("logs"))
            .put("cluster.name", "logstack-test").put("node.name", "one").put("discovery.type", "single-node")
            .put("http.type", "netty4").put("transport.type", "netty4")
            .put("network.host", "127.0.0.1").put("http.port", args[1]).put("transport.port", args[2])
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
        List<Class<? extends Plugin>> plugins = new ArrayList<>();
        for (String name : args[3].split(",")) plugins.add(Class.forName(name).asSubclass(Plugin.class));
        Node node = new RunOpenSearch(InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> "one"), plugins);
        node.start();
        System.out.println("started");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> { try { node.close(); } catch (Exception e) { e.printStackTrace(); } }));
        Thread.currentThread().join();
    }
}
